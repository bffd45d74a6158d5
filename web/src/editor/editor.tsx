// The text: CodeMirror, with what the language process says of it.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { StreamLanguage, bracketMatching } from "@codemirror/language";
import { lintKeymap } from "@codemirror/lint";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState } from "@codemirror/state";
import type { Extension } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, hoverTooltip, keymap, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "preact/hooks";
import { editText } from "../actions";
import { listen, state, useStore } from "../store";
import { ada } from "./ada";
import { complete, goToDefinition, hover } from "./ask";
import { useView } from "./commands";
import { folds } from "./folds";
import { fsp } from "./fsp";
import { marks, setMarks } from "./marks";
import { marksNow } from "./marks-of";
import { showProblems } from "./problems";
import { promela } from "./promela";
import { theme } from "./theme";
import { typeOver } from "./type-over";

const kModes: Record<string, Extension> = {
  fsp: StreamLanguage.define(fsp),
  promela: StreamLanguage.define(promela),
  ada: StreamLanguage.define(ada),
};

const nonce = document.querySelector<HTMLMetaElement>("meta[name=style-nonce]")?.content ?? "";

const ctrlClick = EditorView.domEventHandlers({
  mousedown(event, view) {
    if (!event.ctrlKey && !event.metaKey) return false;
    const at = view.posAtCoords({ x: event.clientX, y: event.clientY });
    if (at === null) return false;
    event.preventDefault();
    void goToDefinition(view, at);
    return true;
  },
});

const extensions = (language: string, path: string): Extension[] => [
  EditorView.cspNonce.of(nonce),
  marks,
  lineNumbers(),
  folds,
  history(),
  drawSelection(),
  highlightActiveLine(),
  bracketMatching(),
  closeBrackets(),
  highlightSelectionMatches(),
  search({ top: false }),
  autocompletion({ override: [complete], activateOnTypingDelay: 150 }),
  hoverTooltip(hover, { hoverTime: 400 }),
  ctrlClick,
  typeOver,
  EditorState.tabSize.of(4),
  EditorView.contentAttributes.of({ "aria-label": "model text", spellcheck: "false", tabindex: "0" }),
  // Tab leaves the text for who uses the keyboard only: Esc first, as CodeMirror has it.
  keymap.of([...closeBracketsKeymap, ...completionKeymap, ...searchKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
  theme,
  kModes[language] ?? [],
  EditorView.updateListener.of((update) => {
    // For a moment after another file was opened this is still the editor of the one before.
    if (update.docChanged && state.doc?.path === path) editText(update.state.doc.toString());
  }),
];

export function Editor() {
  const host = useRef<HTMLDivElement>(null);
  const path = useStore((s) => s.doc?.path);
  const language = useStore((s) => s.doc?.language);

  useEffect(() => {
    if (host.current === null || state.doc === undefined) return;
    const view = new EditorView({
      parent: host.current,
      state: EditorState.create({ doc: state.doc.text, extensions: extensions(state.doc.language, state.doc.path) }),
    });
    useView(view);
    let seen: unknown = state.doc;
    let diagnostics: unknown;
    let marked = "";
    let here = "";
    const follow = () => {
      const doc = state.doc;
      if (doc === undefined || doc.path !== path) return;
      if (doc !== seen && doc.text !== view.state.doc.toString())
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: doc.text } });
      seen = doc;
      if (state.model !== undefined && state.model.version === doc.version && state.model.diagnostics !== diagnostics) {
        diagnostics = state.model.diagnostics;
        showProblems(view, state.model.diagnostics);
      }
      const now = marksNow();
      const text = JSON.stringify(now, (key, value) => (key === "run" ? undefined : value));
      if (text === marked) return;
      const stale = state.model?.version !== doc.version; // the old ones move along until then
      if (stale && JSON.stringify(now.here) === here) return;
      marked = text;
      view.dispatch({ effects: setMarks.of(now) });
      const lines = JSON.stringify(now.here);
      if (lines !== here && now.here.length > 0) showLine(view, now.here[0]!);
      here = lines;
    };
    follow();
    const stop = listen(follow);
    return () => {
      stop();
      useView(undefined);
      view.destroy();
    };
  }, [path, language]);

  return <div class="editor" ref={host} />;
}

// Into sight, if it is not there.
function showLine(view: EditorView, line: number): void {
  if (line > view.state.doc.lines) return;
  view.dispatch({ effects: EditorView.scrollIntoView(view.state.doc.line(line).from, { y: "nearest", yMargin: 40 }) });
}
