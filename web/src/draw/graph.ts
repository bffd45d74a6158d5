// What is drawn of an LTS: states in order of distance, and arcs, which bundle the steps of one pair of states.
//
// A drawing that shows differences keeps steps of different kinds apart: new, moved and going ones, and those of a
// word's path, have arcs of their own.
import type { Lts } from "../types";
import type { Diff, Step } from "./drawing";

export interface Point {
  x: number;
  y: number;
}
export type Places = ReadonlyMap<number, Point>;

export type ArcKind = "plain" | "new" | "moved" | "going";

export interface Arc {
  id: number; // its index
  from: number;
  to: number;
  actions: string[];
  kind: ArcKind;
  path: boolean; // of the word that is shown
}

export interface Graph {
  states: number;
  order: number[]; // by distance from the initial state, then by number; unreachable ones last
  rank: Int32Array; // where in the order
  distance: Int32Array; // -1: unreachable
  arcs: Arc[];
  out: number[][]; // arcs by state
  into: number[][];
  root: number; // where the order begins
  initial: number; // -1: it is not among these states
  error?: number;
  end?: number;
}

// Events have numbers for actions; drawings have names.
export function named(lts: Lts<number>, names: readonly string[]): Lts {
  const name = (a: number): string => names[a] ?? `#${a}`;
  return { ...lts, alphabet: lts.alphabet.map(name), steps: lts.steps?.map(([from, a, to]) => [from, name(a), to]) };
}

const keyOf = ([from, action, to]: readonly [number, string, number]): string => `${from} ${to} ${action}`;

export function graphOf(
  lts: Lts,
  hidden?: ReadonlySet<string>,
  diff?: Diff,
  path?: readonly Step[],
  center?: number,
): Graph {
  const kinds = new Map<string, ArcKind>();
  for (const s of diff?.goingSteps ?? []) kinds.set(keyOf(s), "going");
  for (const s of diff?.movedSteps ?? []) kinds.set(keyOf(s), "moved");
  for (const s of diff?.newSteps ?? []) kinds.set(keyOf(s), "new");
  const onPath = new Set((path ?? []).map(keyOf));
  const bundles = new Map<string, Arc>();
  const arcs: Arc[] = [];
  for (const step of lts.steps ?? []) {
    const [from, action, to] = step;
    if (hidden?.has(action)) continue;
    const key = keyOf(step);
    const kind = kinds.get(key) ?? "plain";
    const path = onPath.has(key);
    const bundle = `${from} ${to} ${kind} ${path}`;
    const arc = bundles.get(bundle);
    if (arc !== undefined) {
      if (!arc.actions.includes(action)) arc.actions.push(action);
      continue;
    }
    const made: Arc = { id: arcs.length, from, to, actions: [action], kind, path };
    bundles.set(bundle, made);
    arcs.push(made);
  }
  const out: number[][] = Array.from({ length: lts.states }, () => []);
  const into: number[][] = Array.from({ length: lts.states }, () => []);
  for (const arc of arcs) {
    out[arc.from]!.push(arc.id);
    into[arc.to]!.push(arc.id);
  }
  const initial = lts.initial ?? 0;
  const distance = new Int32Array(lts.states).fill(-1);
  const order: number[] = [];
  const root = center ?? Math.max(0, initial);
  if (lts.states > 0) {
    distance[root] = 0;
    order.push(root);
  }
  for (let i = 0; i < order.length; ++i)
    for (const id of out[order[i]!]!) {
      const to = arcs[id]!.to;
      if (distance[to] !== -1) continue;
      distance[to] = distance[order[i]!]! + 1;
      order.push(to);
    }
  for (let s = 0; s < lts.states; ++s) if (distance[s] === -1) order.push(s);
  const rank = new Int32Array(lts.states);
  order.forEach((s, i) => (rank[s] = i));
  const graph: Graph = { states: lts.states, order, rank, distance, arcs, out, into, root, initial };
  if (typeof lts.error === "number") graph.error = lts.error;
  if (typeof lts.end === "number") graph.end = lts.end;
  return graph;
}
