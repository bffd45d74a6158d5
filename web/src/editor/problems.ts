// What the language process found, under the text; what was meant instead is one key away (Ctrl-.).
import { setDiagnostics } from "@codemirror/lint";
import type { Diagnostic as Shown } from "@codemirror/lint";
import type { EditorView } from "@codemirror/view";
import { state } from "../store";
import type { Diagnostic } from "../types";
import { spanOf } from "./places";

export const kSeverity = { 1: "error", 2: "warning", 3: "info", 4: "hint" } as const;

function shown(view: EditorView, d: Diagnostic): Shown {
  const { from, to } = spanOf(view.state.doc, d.range);
  const out: Shown = { from, to, severity: kSeverity[d.severity], message: d.message };
  const meant = d.data?.replacement;
  if (meant !== undefined)
    out.actions = [{ name: `Replace by ${meant}`, apply: (v, a, b) => v.dispatch({ changes: { from: a, to: b, insert: meant } }) }];
  return out;
}

// A note that has no place is about the list, not about the text.
export const isAboutList = (d: Diagnostic): boolean => {
  const { start, end } = d.range;
  return d.severity > 2 && start.line === 0 && start.character === 0 && end.line === 0 && end.character === 0;
};

export function showProblems(view: EditorView, diagnostics: Diagnostic[]): void {
  const here = diagnostics.filter((d) => !isAboutList(d));
  view.dispatch(setDiagnostics(view.state, here.map((d) => shown(view, d))));
}

const ofThisText = (): Diagnostic[] =>
  state.model !== undefined && state.model.version === state.doc?.version ? state.model.diagnostics : [];

// The fix for what the cursor is in, else the next one of its line.
export function quickFix(view: EditorView): boolean {
  const at = view.state.selection.main.head;
  const line = view.state.doc.lineAt(at);
  const fixes = ofThisText()
    .filter((d) => d.data?.replacement !== undefined)
    .map((d) => ({ ...spanOf(view.state.doc, d.range), insert: d.data!.replacement! }))
    .filter((f) => f.from <= line.to && f.to >= line.from);
  const far = (f: { from: number; to: number }) => (at < f.from ? f.from - at : at > f.to ? at - f.to : 0);
  const [best] = fixes.sort((a, b) => far(a) - far(b));
  if (best === undefined) return false;
  view.dispatch({ changes: best, selection: { anchor: best.from + best.insert.length }, scrollIntoView: true });
  return true;
}

// To the next problem after the cursor, and round.
export function nextProblem(view: EditorView): boolean {
  const spans = ofThisText().filter((d) => !isAboutList(d)).map((d) => spanOf(view.state.doc, d.range)).sort((a, b) => a.from - b.from);
  const next = spans.find((s) => s.from > view.state.selection.main.head) ?? spans[0];
  if (next === undefined) return false;
  view.dispatch({ selection: { anchor: next.from }, scrollIntoView: true });
  view.focus();
  return true;
}
