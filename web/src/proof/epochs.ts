// The recording of one assumption, as chapters: a chapter begins when the alphabet has grown, or when learning begins
// again for another reason. Differences are shown inside a chapter, and the states keep their places there.
import type { Answer, CheckRun, Conjecture, Lane, Recording, Widened } from "../recording";

export interface Epoch {
  cells: Conjecture[];
  alphabet: number[];
  added: number[]; // since the chapter before
  again: boolean; // it begins again without a new action: what it is an assumption for has changed
  widened?: Widened; // the traces that did not fit together
}

// By which method this lane works: as the lane says, the verdict, or the command line.
export function methodOf(recording: Recording, check?: CheckRun, lane?: Lane): string {
  if (lane !== undefined && lane.method !== "") return lane.method;
  if (check?.verdict?.method !== undefined) return check.verdict.method;
  const { argv } = recording;
  if (argv[1] === "assume") return "interface";
  for (let i = argv.length - 1; i > 0; --i) {
    if (argv[i] === "--all-sizes" || argv[i]!.startsWith("--all-sizes=")) return "all-sizes";
    if (argv[i]!.startsWith("--method=")) return argv[i]!.slice("--method=".length);
    if (argv[i - 1] === "--method") return argv[i]!;
  }
  return "auto";
}

export const assumptionsOf = (lane: Lane): number[] =>
  [...new Set(lane.conjectures.map((c) => c.assumption))].sort((a, b) => a - b);

const without = (a: readonly number[], b: readonly number[]): number[] => {
  const gone = new Set(b);
  return a.filter((action) => !gone.has(action));
};

// `nested`: assumption i is learned anew for every conjecture of i - 1 (asym-n).
export function epochsOf(lane: Lane, assumption: number, nested: boolean): Epoch[] {
  const epochs: Epoch[] = [];
  let previous: Conjecture | undefined;
  for (const cell of lane.conjectures) {
    if (cell.assumption !== assumption) continue;
    const begins = previous === undefined ? { added: [], again: false } : beginning(lane, previous, cell, nested);
    if (begins !== undefined) epochs.push({ cells: [cell], alphabet: cell.lts.alphabet, ...begins });
    else epochs.at(-1)!.cells.push(cell);
    previous = cell;
  }
  completeAlphabets(epochs);
  return epochs;
}

// How a chapter begins with this cell, if one does.
function beginning(lane: Lane, before: Conjecture, cell: Conjecture, nested: boolean): Omit<Epoch, "cells" | "alphabet"> | undefined {
  const widened = lane.widened.findLast(
    (w) => w.after > before.index && w.after <= cell.index && (!nested || w.assumption === cell.assumption),
  );
  const lost = without(before.lts.alphabet, cell.lts.alphabet);
  const outer = nested && lane.conjectures.slice(before.index + 1, cell.index).some((c) => c.assumption < cell.assumption);
  if (outer || (lost.length > 0 && cell.lts.states > 0)) return { added: [], again: true };
  if (widened !== undefined) {
    // What was added was added to all assumptions together, and each has those of its own side (circular).
    const added = cell.lts.states === 0 ? widened.added : widened.added.filter((a) => cell.lts.alphabet.includes(a));
    return { added, again: false, widened };
  }
  const added = before.lts.states === 0 ? [] : without(cell.lts.alphabet, before.lts.alphabet);
  return added.length > 0 ? { added, again: false } : undefined;
}

// A conjecture without states is told without its alphabet, which follows from the later ones.
function completeAlphabets(epochs: Epoch[]): void {
  for (let i = epochs.length - 1; i >= 0; --i) {
    const epoch = epochs[i]!;
    const told = epoch.cells.find((c) => c.lts.states > 0);
    const next = epochs[i + 1];
    if (told !== undefined) epoch.alphabet = told.lts.alphabet;
    else if (next !== undefined && !next.again) epoch.alphabet = without(next.alphabet, next.added);
  }
}

// What decided about a conjecture: what was found of it alone; or else what was found last while it stood, of all together
// or of another one that is made together with it (circular).
export function answerTo(lane: Lane, cell: Conjecture): Answer | undefined {
  if (cell.answer !== undefined) return cell.answer;
  const until = cell.next === undefined ? Infinity : lane.conjectures[cell.next]!.t;
  let low = 0;
  let high = lane.answers.length; // answers come in the order of time: the first one after `until`
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lane.answers[middle]!.t <= until) low = middle + 1;
    else high = middle;
  }
  const last = lane.answers[low - 1];
  return last !== undefined && last.t >= cell.t ? last : undefined;
}
