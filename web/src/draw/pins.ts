// Places that a hand has chosen for states, kept in this browser by the name of the drawing. They are of one machine: if
// its size is another one, they are forgotten.
import type { Graph, Point } from "./graph";

const keyOf = (name: string): string => `surety-pins ${name}`;
const sizeOf = (graph: Graph): string => `${graph.states}/${graph.arcs.length}`;

export function readPins(name: string | undefined, graph: Graph): Map<number, Point> {
  if (name === undefined) return new Map();
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(name)) ?? "null");
    if (kept?.size !== sizeOf(graph)) return new Map();
    return new Map((kept.pins as [number, number, number][]).map(([s, x, y]) => [s, { x, y }]));
  } catch {
    return new Map(); // not ours
  }
}

export function writePins(name: string | undefined, graph: Graph, pins: ReadonlyMap<number, Point>): void {
  if (name === undefined) return;
  if (pins.size === 0) localStorage.removeItem(keyOf(name));
  else
    localStorage.setItem(
      keyOf(name),
      JSON.stringify({ size: sizeOf(graph), pins: [...pins].map(([s, p]) => [s, Math.round(p.x), Math.round(p.y)]) }),
    );
}
