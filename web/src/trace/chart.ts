// The sequence chart of a walk, as rows: a lane for each component and property, a row for each step, with a dot on each
// lane that takes part. Runs of steps that touch no visible lane are one row, folded.
import { breaks } from "../format";
import type { Walk } from "../store";
import type { SystemOf } from "../types";
import { labelOf } from "./steps";
import type { WalkStep } from "./steps";

export interface LaneOf {
  name: string;
  property: boolean;
}

export type ChartRow =
  | { kind: "start" } // the first moment
  | { kind: "step"; step: WalkStep; lanes: number[]; first: number; last: number } // lanes that take part; -1: none
  | { kind: "fold"; from: number; to: number; open: boolean }; // steps from .. to touch no visible lane

// The lanes there can be: of programs the processes, in the order in which they appear.
export function lanesOf(walk: Walk, steps: readonly WalkStep[], system: SystemOf | undefined): LaneOf[] {
  const lanes: LaneOf[] = [];
  const seen = new Set<string>();
  const add = (name: string, property = false): void => {
    if (!seen.has(name)) lanes.push({ name, property });
    seen.add(name);
  };
  const properties = new Set(system?.properties.map((p) => p.name));
  const taking = new Set(steps.flatMap((s) => s.who));
  const isProgram = walk.moments.some((m) => m.processes !== undefined);
  if (isProgram) for (const m of walk.moments) for (const p of m.processes ?? []) add(p.name);
  else for (const c of system?.components ?? []) add(c.name);
  for (const name of taking) if (!properties.has(name)) add(name);
  for (const p of system?.properties ?? []) {
    const shown = walk.result?.property === undefined ? taking.has(p.name) : walk.result.property === p.name;
    if (shown) add(p.name, true);
  }
  return lanes;
}

// Those that take part in something; the others only fill the chart.
export function usedLanes(lanes: readonly LaneOf[], steps: readonly WalkStep[]): LaneOf[] {
  const taking = new Set(steps.flatMap((s) => s.who));
  return lanes.filter((l) => taking.has(l.name) || l.property);
}

interface Options {
  lanes: readonly string[]; // visible ones, in their order
  only?: string; // only the steps that this one takes part in
  open?: ReadonlySet<number>; // folds that are open, by their first step
  cycleFrom?: number; // no fold goes over this moment
}

export function chartRows(steps: readonly WalkStep[], { lanes, only, open, cycleFrom }: Options): ChartRow[] {
  const rows: ChartRow[] = [{ kind: "start" }];
  const index = new Map(lanes.map((name, i) => [name, i]));
  let run: WalkStep[] = [];
  const flush = (): void => {
    if (run.length === 0) return;
    const [from, to] = [run[0]!.n, run.at(-1)!.n];
    const isOpen = open?.has(from) ?? false;
    rows.push({ kind: "fold", from, to, open: isOpen });
    if (isOpen) for (const step of run) rows.push({ kind: "step", step, lanes: [], first: -1, last: -1 });
    run = [];
  };
  for (const step of steps) {
    if (only !== undefined && !step.who.includes(only)) continue;
    const on = step.who.map((w) => index.get(w)).filter((i) => i !== undefined);
    // What is wrong is never folded.
    if (on.length === 0 && step.violates.length === 0 && step.error === undefined) {
      if (cycleFrom !== undefined && step.n === cycleFrom + 1) flush();
      run.push(step);
      continue;
    }
    flush();
    const sorted = [...new Set(on)].sort((a, b) => a - b);
    rows.push({ kind: "step", step, lanes: sorted, first: sorted[0] ?? -1, last: sorted.at(-1) ?? -1 });
  }
  flush();
  return rows;
}

// The row that shows a moment: its own, or the fold that it is in, or the last one before it.
export function rowOfMoment(rows: readonly ChartRow[], at: number): number {
  let found = 0;
  rows.forEach((row, i) => {
    if (row.kind === "step" && row.step.n <= at) found = i;
    if (row.kind === "fold" && !row.open && row.from <= at) found = i;
  });
  return found;
}

export type InCycle = "no" | "first" | "inside" | "last" | "only";

// The bracket of the cycle: where a row stands in it.
export function inCycle(row: ChartRow, cycleFrom: number | undefined, end: number): InCycle {
  if (cycleFrom === undefined || row.kind === "start") return "no";
  const [from, to] = row.kind === "fold" ? [row.from, row.to] : [row.step.n, row.step.n];
  if (from <= cycleFrom) return "no";
  const [first, last] = [from === cycleFrom + 1, to === end];
  return first && last ? "only" : first ? "first" : last ? "last" : "inside";
}

const kNarrow = 72; // px: lanes are squeezed to this at most, and never so that a part of a name is broken

// How wide lanes must be so that nine labels in ten have room over their bars, and names in the head are not cut; and how
// wide they can be if all of them are to be seen (`room`: px for lanes).
export function laneWidth(
  rows: readonly ChartRow[],
  names: readonly string[],
  width: (text: string) => number,
  room = Infinity,
  least = 56,
  most = 132,
): number {
  const needs = rows
    .filter((r) => r.kind === "step" && r.first >= 0)
    .map((r) => (r.kind === "step" ? (width(labelOf(r.step)) + 34) / (r.last - r.first + 0.95) : 0))
    .sort((a, b) => a - b);
  const head = Math.min(100, Math.max(0, ...names.map((n) => width(n) * 1.2 + 10)));
  const need = Math.max(head, needs[Math.floor(needs.length * 0.9)] ?? least);
  const parts = Math.max(kNarrow, ...names.flatMap(breaks).map((part) => width(part) * 1.12 + 8));
  const seen = Math.max(Math.min(need, parts), room / Math.max(1, names.length));
  return Math.round(Math.max(least, Math.min(most, need, seen)));
}
