// What an answer is about: a text, with the constants, the system and the cells that it was read with. Answers about another
// one are shown as such, or not at all.
import type { Job, State } from "./store";

export interface Subject {
  text: string;
  define: unknown;
  system: string;
  cells: boolean;
}

const subject = (text: string, define: unknown, system: unknown, cells: unknown): Subject => ({
  text,
  define: define ?? {},
  system: typeof system === "string" ? system : "",
  cells: cells === true,
});

export const subjectOf = ({ text, options }: Job): Subject => subject(text, options.define, options.system, options.cells);

// What is in the editor.
export const subjectNow = (s: State): Subject => subject(s.doc?.text ?? "", s.define, s.system, s.how.cells);

export const sameSubject = (a: Subject, b: Subject): boolean =>
  a.text === b.text && a.system === b.system && a.cells === b.cells && sameConstants(a.define, b.define);

function sameConstants(a: unknown, b: unknown): boolean {
  const sorted = (all: unknown) => Object.entries(all as object).sort(([x], [y]) => (x < y ? -1 : 1));
  return a === b || JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}
