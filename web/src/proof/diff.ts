// What changed from one conjecture to the next.
//
// A learner numbers its states anew each time, so states are compared by words. The access word of a state is its first
// shortest word; the state of the older conjecture that this word leads to is its ancestor. States with one ancestor
// are its heirs, and the one with the first word is the heir that goes on as it; the others are new. A step is new
// where the ancestor had none, and has moved where it led to another ancestor.
//
// Abstractions (agar) may be nondeterministic, and then words lead to several states. Their states are blocks that are
// split: a block keeps its number, and what is split off it gets a new one. There states are compared by numbers.
import type { Lts } from "../types";

export type NumberStep = [from: number, action: number, to: number];

export interface Difference {
  ancestor: (number | undefined)[]; // of each new state; nothing: its word leads nowhere in the older one
  heir: (number | undefined)[]; // of each old state: the one that goes on as it
  newStates: number[];
  newSteps: NumberStep[];
  movedSteps: NumberStep[];
  goingSteps: NumberStep[]; // of the older one: an heir of where they begin has no such step, or there is no heir
}

type Row = Map<number, number>; // where each action leads

// The steps of each state by action, in the order of actions; nothing if an action leads to two states.
function rowsOf(lts: Lts<number>): Row[] | undefined {
  const rows: Row[] = Array.from({ length: lts.states }, () => new Map<number, number>());
  const steps = [...(lts.steps ?? [])].sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  for (const [from, action, to] of steps) {
    if (action === 0 || rows[from]!.has(action)) return undefined;
    rows[from]!.set(action, to);
  }
  return rows;
}

export const isDeterministic = (lts: Lts<number>): boolean => rowsOf(lts) !== undefined;

const initialOf = (lts: Lts<number>): number => lts.initial ?? 0;

// The states by their access words: the shorter word is first, then the one that is first by its actions.
function byAccess(lts: Lts<number>, rows: Row[], each: (state: number, from: number, action: number) => void): void {
  if (lts.states === 0) return;
  const seen = new Uint8Array(lts.states);
  const queue = [initialOf(lts)];
  seen[queue[0]!] = 1;
  each(queue[0]!, -1, -1);
  for (let i = 0; i < queue.length; ++i)
    for (const [action, to] of rows[queue[i]!]!) {
      if (seen[to]) continue;
      seen[to] = 1;
      each(to, queue[i]!, action);
      queue.push(to);
    }
}

export function difference(older: Lts<number>, newer: Lts<number>): Difference {
  const oldRows = rowsOf(older);
  const newRows = rowsOf(newer);
  if (oldRows === undefined || newRows === undefined) return byNumbers(older, newer);
  const ancestor: (number | undefined)[] = new Array(newer.states).fill(undefined);
  const heir: (number | undefined)[] = new Array(older.states).fill(undefined);
  byAccess(newer, newRows, (state, from, action) => {
    const before = from < 0 ? undefined : ancestor[from];
    const first = older.states > 0 ? initialOf(older) : undefined;
    const old = from < 0 ? first : before === undefined ? undefined : oldRows[before]!.get(action);
    ancestor[state] = old;
    if (old !== undefined) heir[old] ??= state;
  });
  return { ancestor, heir, ...stepsOf(older, oldRows, newer, newRows, ancestor, heir) };
}

function stepsOf(
  older: Lts<number>,
  oldRows: Row[],
  newer: Lts<number>,
  newRows: Row[],
  ancestor: (number | undefined)[],
  heir: (number | undefined)[],
): Omit<Difference, "ancestor" | "heir"> {
  const newStates: number[] = [];
  const newSteps: NumberStep[] = [];
  const movedSteps: NumberStep[] = [];
  const heirs: number[][] = Array.from({ length: older.states }, () => []);
  for (let state = 0; state < newer.states; ++state) {
    const from = ancestor[state];
    if (from !== undefined) heirs[from]!.push(state);
    if (from === undefined || heir[from] !== state) newStates.push(state);
    for (const [action, to] of newRows[state]!) {
      const led = from === undefined ? undefined : oldRows[from]!.get(action);
      if (led === undefined) newSteps.push([state, action, to]);
      else if (led !== ancestor[to]) movedSteps.push([state, action, to]);
    }
  }
  const goingSteps: NumberStep[] = [];
  oldRows.forEach((row, from) => {
    for (const [action, to] of row)
      if (heirs[from]!.length === 0 || heirs[from]!.some((state) => !newRows[state]!.has(action)))
        goingSteps.push([from, action, to]);
  });
  return { newStates, newSteps, movedSteps, goingSteps };
}

function byNumbers(older: Lts<number>, newer: Lts<number>): Difference {
  const both = Math.min(older.states, newer.states);
  const same = (length: number): (number | undefined)[] => Array.from({ length }, (_, s) => (s < both ? s : undefined));
  const key = ([from, action, to]: NumberStep): string => `${from} ${action} ${to}`;
  const had = new Set((older.steps ?? []).map(key));
  const has = new Set((newer.steps ?? []).map(key));
  return {
    ancestor: same(newer.states),
    heir: same(older.states),
    newStates: Array.from({ length: newer.states - both }, (_, i) => both + i),
    newSteps: (newer.steps ?? []).filter((step) => !had.has(key(step))),
    movedSteps: [],
    goingSteps: (older.steps ?? []).filter((step) => !has.has(key(step))),
  };
}

// The way of a word, as far as the conjecture has it. Of a nondeterministic one: of all its ways one that goes farthest.
export function pathOf(lts: Lts<number>, word: readonly number[]): NumberStep[] {
  if (lts.states === 0) return [];
  const steps = lts.steps ?? [];
  let layer = new Map<number, NumberStep[]>([[initialOf(lts), []]]);
  for (const action of word) {
    const next = new Map<number, NumberStep[]>();
    for (const [from, its, to] of steps) {
      const way = its === action ? layer.get(from) : undefined;
      if (way !== undefined && !next.has(to)) next.set(to, [...way, [from, action, to]]);
    }
    if (next.size === 0) break;
    layer = next;
  }
  return [...layer.values()][0]!;
}

// The first shortest word to each state; nothing for one that cannot be reached.
export function accessWords(lts: Lts<number>): (number[] | undefined)[] {
  const words: (number[] | undefined)[] = new Array(lts.states).fill(undefined);
  const rows = rowsOf(lts);
  if (rows !== undefined)
    byAccess(lts, rows, (state, from, action) => (words[state] = from < 0 ? [] : [...words[from]!, action]));
  return words;
}
