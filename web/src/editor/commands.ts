// What commands of the window ask of the editor, wherever the focus is.
import { openSearchPanel } from "@codemirror/search";
import { EditorView } from "@codemirror/view";
import { runRow, say } from "../actions";
import { readNow } from "../document";
import { change, state } from "../store";
import type { Position } from "../types";
import { goToDefinition, references } from "./ask";
import { offsetOf } from "./places";
import { nextProblem, quickFix } from "./problems";

let view: EditorView | undefined;

export function useView(now: EditorView | undefined): void {
  view = now;
}

export type EditorCommand = "check" | "definition" | "references" | "fix" | "problem" | "find" | "focus" | "goto";

export function editorCommand(command: EditorCommand, place?: Position): void {
  if (view === undefined) return;
  const editor = view;
  change((s) => (s.view = "text"));
  switch (command) {
    case "check":
      void checkHere(editor);
      break;
    case "definition":
      void goToDefinition(editor);
      break;
    case "references":
      void references(editor).then((found) => {
        if (found === undefined || found.lines.length === 0) say("no other place of this is known");
        else change((s) => (s.references = found));
      });
      break;
    case "fix":
      if (!quickFix(editor)) say("there is no quick fix in this line");
      break;
    case "problem":
      if (!nextProblem(editor)) say("no problems are known");
      break;
    case "find":
      openSearchPanel(editor);
      break;
    case "focus":
      editor.focus();
      if (!editor.hasFocus) requestAnimationFrame(() => editor.focus()); // its column is only now shown
      break;
    case "goto":
      requestAnimationFrame(() => {
        editor.dispatch({ selection: { anchor: offsetOf(editor.state.doc, place!) }, scrollIntoView: true });
        editor.focus();
      });
      break;
  }
}

// Brings a line into sight; the focus stays where it is.
export function showLine(line: number): void {
  if (view === undefined || line < 1 || line > view.state.doc.lines) return;
  const anchor = view.state.doc.line(line).from;
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "nearest", yMargin: 60 }) });
}

// The check whose property begins last before the cursor.
async function checkHere(editor: EditorView): Promise<void> {
  await readNow(); // lines may be others since the last key
  const line = editor.state.doc.lineAt(editor.state.selection.main.head).number;
  const before = state.rows.filter((r) => r.place?.line !== undefined && r.place.line <= line);
  const last = Math.max(...before.map((r) => r.place!.line!));
  const rows = before.filter((r) => r.place!.line === last);
  if (rows.length === 0) say("the cursor is in no property");
  for (const row of rows) runRow(row.id);
}
