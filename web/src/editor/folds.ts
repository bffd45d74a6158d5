// What can be folded: from each definition to the last line before the next one. Where definitions begin is known by the
// language process; blank lines and comments before the next one belong to that. Units of Ada stand in each other and end
// by words of their own; they are not folded.
import { codeFolding, foldGutter, foldKeymap, foldService } from "@codemirror/language";
import type { Extension, Text } from "@codemirror/state";
import { keymap } from "@codemirror/view";
import { state } from "../store";
import { allSymbols } from "./places";

const isAside = (line: string): boolean => /^\s*(\/\/.*|--.*|\/\*.*\*\/|\*.*|\/\*.*)?\s*$/.test(line);

// The last line (from 1) of the definition that begins in `line`; nothing if there is only one line, or none begins there.
export function lastLine(lineAt: (n: number) => string, lines: number, line: number, begins: number[]): number | undefined {
  if (!begins.includes(line)) return undefined;
  const next = Math.min(...begins.filter((b) => b > line), lines + 1);
  let last = next - 1;
  while (last > line && isAside(lineAt(last))) --last;
  return last > line ? last : undefined;
}

const begins = (): number[] => allSymbols(state.model?.symbols ?? []).map((s) => s.range.start.line + 1);

const service = foldService.of((editor, from) => {
  if (state.model?.version !== state.doc?.version || state.doc?.language === "ada") return null;
  const doc: Text = editor.doc;
  const line = doc.lineAt(from);
  const last = lastLine((n) => doc.line(n).text, doc.lines, line.number, begins());
  return last === undefined ? null : { from: line.to, to: doc.line(last).to };
});

export const folds: Extension = [
  codeFolding(),
  service,
  foldGutter({
    foldingChanged: () => true,
    markerDOM(open) {
      const span = document.createElement("span");
      span.textContent = open ? "⌄" : "›";
      span.title = open ? "fold" : "unfold";
      return span;
    },
  }),
  keymap.of(foldKeymap),
];
