// The curves of steps where Graphviz gives none, or where a hand has moved a state: straight between two states, bowed
// where several arcs join the same two, a loop at the side where a state has most room. A curve is the control points of
// a chain of cubic Béziers, x y x y ..., and ends at the rims of its states.
import type { Size } from "./dot";
import type { Arc, Graph, Places, Point } from "./graph";

export type Curve = number[];

// Where a ray from the middle of a state leaves it. Circles are states as wide as they are high.
export function rim(middle: Point, size: Size, towards: Point): Point {
  const dx = towards.x - middle.x;
  const dy = towards.y - middle.y;
  const far = Math.hypot(dx, dy) || 1;
  const { w, h } = size;
  const reach = w === h ? w / 2 : Math.min(w / 2 / (Math.abs(dx) / far || 1e-9), h / 2 / (Math.abs(dy) / far || 1e-9));
  return { x: middle.x + (dx / far) * reach, y: middle.y + (dy / far) * reach };
}

const line = (a: Point, b: Point): Curve => {
  const at = (t: number): [number, number] => [a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t];
  return [...at(0), ...at(1 / 3), ...at(2 / 3), ...at(1)];
};

// A curve whose middle is `bow` beside the straight one, to the right of who goes along it.
function between(a: Point, sizeA: Size, b: Point, sizeB: Size, bow: number): Curve {
  if (bow === 0) return line(rim(a, sizeA, b), rim(b, sizeB, a));
  const far = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const side = { x: -((b.y - a.y) / far), y: (b.x - a.x) / far };
  const via = (t: number): Point => ({
    x: a.x + (b.x - a.x) * t + side.x * bow * (4 / 3),
    y: a.y + (b.y - a.y) * t + side.y * bow * (4 / 3),
  });
  const [one, two] = [via(0.3), via(0.7)];
  const [from, to] = [rim(a, sizeA, one), rim(b, sizeB, two)];
  return [from.x, from.y, one.x, one.y, two.x, two.y, to.x, to.y];
}

function loop(at: Point, size: Size, angle: number, nth: number): Curve {
  const long = 34 + 16 * nth;
  const wide = 0.5;
  const end = (turn: number): Point => {
    const towards = { x: at.x + Math.cos(angle + turn) * 100, y: at.y + Math.sin(angle + turn) * 100 };
    return rim(at, size, towards);
  };
  const reach = Math.max(size.w, size.h) / 2 + long * 0.85;
  const pull = (turn: number): Point => ({ x: at.x + Math.cos(angle + turn) * reach, y: at.y + Math.sin(angle + turn) * reach });
  const [a, b, c, d] = [end(-wide), pull(-wide * 0.85), pull(wide * 0.85), end(wide)];
  return [a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y];
}

// The widest gap between the directions of a state's arcs, and its middle; upwards if there are none.
export function freeGap(directions: readonly number[]): { angle: number; gap: number } {
  if (directions.length === 0) return { angle: -Math.PI / 2, gap: 2 * Math.PI };
  const sorted = [...directions].sort((a, b) => a - b);
  let best = 0;
  let found = { angle: -Math.PI / 2, gap: 0 };
  for (let i = 0; i < sorted.length; ++i) {
    const next = i + 1 < sorted.length ? sorted[i + 1]! : sorted[0]! + 2 * Math.PI;
    const gap = next - sorted[i]!;
    // Upwards is nicer, where there is as much room.
    const middle = sorted[i]! + gap / 2;
    const worth = gap + (Math.sin(middle) < -0.5 ? 0.2 : 0);
    if (worth > best + 1e-9) {
      best = worth;
      found = { angle: middle, gap };
    }
  }
  return found;
}

const kEntry = Math.atan2(-2, -3); // the arrow from nowhere comes from there
const kLoop = 1.15; // radians that a loop needs for itself
const kLoopAtLeast = 0.7; // with less, loops are in each other

// Where the nth of some loops of a state goes, and which size it has: side by side where there is room.
export function loopAt(directions: readonly number[], nth: number, of: number): { angle: number; size: number } {
  const { angle, gap } = freeGap(directions);
  const each = Math.min(kLoop, gap / (of + 0.5));
  if (of > 1 && each < kLoopAtLeast) return { angle, size: nth };
  return { angle: angle + (nth - (of - 1) / 2) * each, size: 0 };
}

const kBow = 13;

export function route(graph: Graph, places: Places, size: (state: number) => Size, only?: Iterable<number>): Map<number, Curve> {
  const curves = new Map<number, Curve>();
  const arcs = only === undefined ? graph.arcs : [...only].map((id) => graph.arcs[id]!);
  for (const arc of arcs) {
    const a = places.get(arc.from);
    const b = places.get(arc.to);
    if (a === undefined || b === undefined) continue;
    curves.set(arc.id, arc.from === arc.to ? selfLoop(graph, places, size, arc) : pair(graph, places, size, arc, a, b));
  }
  return curves;
}

function pair(graph: Graph, places: Places, size: (s: number) => Size, arc: Arc, a: Point, b: Point): Curve {
  const same = graph.out[arc.from]!.filter((id) => graph.arcs[id]!.to === arc.to);
  const against = graph.out[arc.to]!.some((id) => graph.arcs[id]!.to === arc.from);
  const bows = same.map((_, nth) => (against ? kBow * (1 + 2 * nth) : kBow * 2 * (nth - (same.length - 1) / 2)));
  const bow = bows[same.indexOf(arc.id)]!;
  const bent = (by: number): Curve => between(a, size(arc.from), b, size(arc.to), by);
  if (graph.states > kAround) return bent(bow);
  // The first one that goes through no state, nor do those beside it, which bend with it; where there is a step back, its side is the last that is tried.
  const steps = Array.from({ length: kBends }, (_, i) => (i + 1) * kBend);
  const bends = against ? [...steps, ...steps.map((by) => -by - 2 * bow)] : steps.flatMap((by) => [by, -by]);
  const near = [...places].filter(([s]) => s !== arc.from && s !== arc.to);
  const found = [0, ...bends].find((by) => bows.every((each) => isClear(bent(each + by), near, size)));
  return bent(bow + (found ?? 0));
}

const kAround = 60; // states; in larger drawings steps go straight
const kBend = 14;
const kBends = 8;
const kRoom = 7; // from a state that is passed

function isClear(curve: Curve, states: readonly (readonly [number, Point])[], size: (s: number) => Size): boolean {
  for (let i = 1; i < 20; ++i) {
    const p = pointAt(curve, i / 20);
    for (const [s, at] of states) {
      const { w, h } = size(s);
      if (Math.abs(p.x - at.x) < w / 2 + kRoom && Math.abs(p.y - at.y) < h / 2 + kRoom) return false;
    }
  }
  return true;
}

function selfLoop(graph: Graph, places: Places, size: (s: number) => Size, arc: Arc): Curve {
  const here = places.get(arc.from)!;
  const directions: number[] = [];
  for (const id of [...graph.out[arc.from]!, ...graph.into[arc.from]!]) {
    const { from, to } = graph.arcs[id]!;
    const other = places.get(from === arc.from ? to : from);
    if (other !== undefined && from !== to) directions.push(Math.atan2(other.y - here.y, other.x - here.x));
  }
  if (arc.from === graph.initial) directions.push(kEntry);
  const loops = graph.out[arc.from]!.filter((id) => graph.arcs[id]!.to === arc.from);
  const { angle, size: nth } = loopAt(directions, loops.indexOf(arc.id), loops.length);
  return loop(here, size(arc.from), angle, nth);
}

// --- What one needs of a curve.

export function curvePath(c: Curve): string {
  let d = `M${c[0]!.toFixed(1)} ${c[1]!.toFixed(1)}`;
  for (let i = 2; i + 5 < c.length; i += 6)
    d += `C${c[i]!.toFixed(1)} ${c[i + 1]!.toFixed(1)} ${c[i + 2]!.toFixed(1)} ${c[i + 3]!.toFixed(1)} ${c[i + 4]!.toFixed(1)} ${c[i + 5]!.toFixed(1)}`;
  return d;
}

export function pointAt(c: Curve, t: number): Point {
  const pieces = (c.length - 2) / 6;
  const piece = Math.min(pieces - 1, Math.floor(t * pieces));
  const u = t * pieces - piece;
  const v = 1 - u;
  const i = piece * 6;
  const at = (k: number): number =>
    v * v * v * c[i + k]! + 3 * v * v * u * c[i + k + 2]! + 3 * v * u * u * c[i + k + 4]! + u * u * u * c[i + k + 6]!;
  return { x: at(0), y: at(1) };
}

// The head of an arrow, as a path: its tip is the end of the curve.
export function headPath(c: Curve, long = 9, wide = 3.6): string {
  const n = c.length;
  const tip = { x: c[n - 2]!, y: c[n - 1]! };
  let back = pointAt(c, 1 - Math.min(0.5, 0.04 * (6 / (n - 2)) * 6));
  if (Math.hypot(tip.x - back.x, tip.y - back.y) < 1e-6) back = pointAt(c, 0);
  const far = Math.hypot(tip.x - back.x, tip.y - back.y) || 1;
  const [dx, dy] = [(tip.x - back.x) / far, (tip.y - back.y) / far];
  const [bx, by] = [tip.x - dx * long, tip.y - dy * long];
  const f = (x: number): string => x.toFixed(1);
  return `M${f(tip.x)} ${f(tip.y)}L${f(bx - dy * wide)} ${f(by + dx * wide)}L${f(bx + dy * wide)} ${f(by - dx * wide)}Z`;
}
