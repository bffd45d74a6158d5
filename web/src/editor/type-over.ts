// A letter typed over a selection is put in by the editor and not by the browser: Chromium carries the look of what was
// deleted along as a `style` attribute, which the page's Content-Security-Policy refuses and reports.
import { EditorView } from "@codemirror/view";

export const typeOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const text = event.data;
    const { from, to, empty } = view.state.selection.main;
    if (event.inputType !== "insertText" || text === null || event.isComposing || empty) return false;
    const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: "input.type", scrollIntoView: true });
    const taken = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, text, insert));
    if (!taken) view.dispatch(insert());
    event.preventDefault();
    return true;
  },
});
