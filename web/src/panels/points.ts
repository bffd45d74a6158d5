// The points of an experiment: what was asked for, what came, as a table and as CSV.
import type { Options, Verdict } from "../types";

export interface Point {
  define: Record<string, number | string>;
  method: string;
  property: string; // with its kind, if it has no name
  verdict: Verdict | "lost";
  states?: number; // of the largest search
  time?: number; // seconds
  memory?: number; // bytes
  assumption?: number; // states of the largest one
  conjectures?: number;
  queries?: number;
  why?: string;
}

export type Measure = "states" | "time" | "memory" | "assumption" | "conjectures" | "queries";
export const kMeasures: Record<Measure, string> = {
  states: "states of the largest search",
  time: "time in seconds",
  memory: "memory in bytes",
  assumption: "states of the assumption",
  conjectures: "conjectures",
  queries: "queries",
};

// What the server tells of a point: the entry of a report, and which point it is.
export interface PointEvent {
  event: string;
  point?: { define?: Record<string, number | string>; method?: string };
  kind?: string;
  property?: string;
  verdict?: Verdict;
  max_states?: number;
  time_s?: number;
  peak_bytes?: number;
  assumptions?: { states: number }[];
  conjectures?: number;
  queries?: number;
  why?: string;
  signal?: string;
  message?: string;
}

// Takes in what was told of a point. Its memory is known when the run has ended, of all of its checks together.
export function takePoint(points: Point[], e: PointEvent): Point[] {
  if (e.point === undefined) return points;
  const define = e.point.define ?? {};
  const method = e.point.method ?? "auto";
  if (e.event === "verdict") {
    const sizes = (e.assumptions ?? []).map((a) => a.states);
    const made: Point = { define, method, property: e.property ?? e.kind ?? "", verdict: e.verdict ?? "unknown" };
    if (e.max_states !== undefined) made.states = e.max_states;
    if (e.time_s !== undefined) made.time = e.time_s;
    if (e.peak_bytes !== undefined) made.memory = e.peak_bytes;
    if (sizes.length > 0) made.assumption = Math.max(...sizes);
    if (e.conjectures) made.conjectures = e.conjectures;
    if (e.queries) made.queries = e.queries;
    if (e.why !== undefined) made.why = e.why;
    return [...points, made];
  }
  if (e.event === "lost") {
    const why = e.message ?? (e.signal === undefined ? "it ended without an answer" : `ended by ${e.signal}`);
    return [...points, { define, method, property: "", verdict: "lost", why }];
  }
  const same = JSON.stringify([define, method]);
  const isIts = (p: Point) => JSON.stringify([p.define, p.method]) === same;
  // The time was over before there was a model, say.
  if (!points.some(isIts)) return [...points, { define, method, property: "", verdict: "unknown", why: e.message ?? "it ended without an answer" }];
  return e.peak_bytes === undefined ? points : points.map((p) => (isIts(p) ? { ...p, memory: e.peak_bytes! } : p));
}

// How many values "2..5", "1, 2, 4" or "3" stand for; nothing if it makes no sense.
export function valuesOf(text: string): number[] | undefined {
  const range = /^\s*(-?\d{1,6})\s*\.\.\s*(-?\d{1,6})\s*$/.exec(text);
  if (range) {
    const [low, high] = [Number(range[1]), Number(range[2])];
    if (high < low || high - low >= 1000) return undefined;
    return Array.from({ length: high - low + 1 }, (_, i) => low + i);
  }
  const parts = text.split(",").map((p) => p.trim());
  if (parts.length === 0 || parts.some((p) => !/^-?\d{1,9}$/.test(p))) return undefined;
  return [...new Set(parts.map(Number))];
}

export const runsOf = (ranges: number[][], methods: number): number => ranges.reduce((n, r) => n * r.length, methods);

// The request's ranges: a list of numbers each.
export const rangesOption = (ranges: Record<string, number[]>): Options[string] => ranges as unknown as Options[string];

// The constants that points have values of.
export const varied = (points: Point[]): string[] => [...new Set(points.flatMap((p) => Object.keys(p.define)))];

const cell = (value: string | number | undefined): string => {
  const text = value === undefined ? "" : String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

export function csv(points: Point[]): string {
  const constants = varied(points);
  const measures = Object.keys(kMeasures) as Measure[];
  const head = [...constants, "method", "property", "verdict", ...measures, "why"];
  const lines = points.map((p) =>
    [...constants.map((c) => p.define[c]), p.method, p.property, p.verdict, ...measures.map((m) => p[m]), p.why].map(cell).join(","),
  );
  return [head.map(cell).join(","), ...lines].join("\n") + "\n";
}
