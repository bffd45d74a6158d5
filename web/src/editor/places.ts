// Places of the protocol (lines from 0, UTF-16 units) in a document of the editor, and back.
import type { Text } from "@codemirror/state";
import type { DocumentSymbol, Position, Range } from "../types";

export function offsetOf(doc: Text, position: Position): number {
  if (position.line >= doc.lines) return doc.length;
  const line = doc.line(Math.max(0, position.line) + 1);
  return Math.min(line.from + Math.max(0, position.character), line.to);
}

export function positionOf(doc: Text, offset: number): Position {
  const line = doc.lineAt(Math.min(offset, doc.length));
  return { line: line.number - 1, character: offset - line.from };
}

// Never empty, if there is anything to mark: an error at the end of a line marks the sign before it.
export function spanOf(doc: Text, range: Range): { from: number; to: number } {
  const from = offsetOf(doc, range.start);
  const to = Math.max(from, offsetOf(doc, range.end));
  if (to > from) return { from, to };
  const line = doc.lineAt(from);
  if (from < line.to) return { from, to: from + 1 };
  return { from: Math.max(line.from, from - 1), to: from };
}

// Those that stand in others, too.
export const allSymbols = (symbols: DocumentSymbol[]): DocumentSymbol[] => symbols.flatMap((s) => [s, ...allSymbols(s.children ?? [])]);
