// Labels that do not lie on each other nor on states: each takes the first of its places that is free. The first one is
// where the layout has kept room; then along the curve, in its middle first, on it and beside it. A label without a free
// place is not drawn: it shows on hover and focus.
import type { Size } from "./dot";
import type { Point } from "./graph";
import type { Curve } from "./route";
import { pointAt } from "./route";

export interface Box {
  x: number; // its middle
  y: number;
  w: number;
  h: number;
}

export const overlap = (a: Box, b: Box): boolean =>
  Math.abs(a.x - b.x) * 2 < a.w + b.w && Math.abs(a.y - b.y) * 2 < a.h + b.h;

// Boxes in cells, so that a thousand labels are placed in milliseconds.
export class Boxes {
  private cells = new Map<string, Box[]>();
  constructor(private readonly cell = 120) {}

  private *around(box: Box): Generator<string> {
    const c = this.cell;
    for (let x = Math.floor((box.x - box.w / 2) / c); x <= Math.floor((box.x + box.w / 2) / c); ++x)
      for (let y = Math.floor((box.y - box.h / 2) / c); y <= Math.floor((box.y + box.h / 2) / c); ++y) yield `${x},${y}`;
  }
  add(box: Box): void {
    for (const key of this.around(box)) {
      const list = this.cells.get(key);
      if (list === undefined) this.cells.set(key, [box]);
      else list.push(box);
    }
  }
  free(box: Box): boolean {
    for (const key of this.around(box)) for (const other of this.cells.get(key) ?? []) if (overlap(box, other)) return false;
    return true;
  }
}

export interface Labelled {
  curve: Curve;
  size: Size;
  given?: Point; // where the layout has kept room
  first?: boolean; // is placed before others: new, found, on the path
}

const kLoopEnds = 36; // so near to each other are the ends of a loop
const kAlong = [0.5, 0.4, 0.6, 0.3, 0.7, 0.22, 0.78];

const fromStart = (c: Curve, p: Point): number => Math.hypot(p.x - c[0]!, p.y - c[1]!);
const isLoop = (c: Curve): boolean => fromStart(c, { x: c.at(-2)!, y: c.at(-1)! }) < kLoopEnds;

function* candidates(label: Labelled): Generator<Point> {
  if (label.given !== undefined) {
    const { x, y } = label.given;
    yield label.given;
    for (const by of [-6, 6, -12, 12]) yield { x, y: y + by };
  }
  for (const t of kAlong) {
    const p = pointAt(label.curve, t);
    const [a, b] = [pointAt(label.curve, Math.max(0, t - 0.05)), pointAt(label.curve, Math.min(1, t + 0.05))];
    const far = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const [nx, ny] = [-(b.y - a.y) / far, (b.x - a.x) / far];
    // So far beside the curve that the box just leaves it.
    const beside = (Math.abs(nx) * label.size.w + Math.abs(ny) * label.size.h) / 2 + 2;
    const sides = [
      { x: p.x - nx * beside, y: p.y - ny * beside },
      { x: p.x + nx * beside, y: p.y + ny * beside },
    ];
    if (isLoop(label.curve)) sides.sort((one, two) => fromStart(label.curve, two) - fromStart(label.curve, one)); // outside
    yield* sides;
    yield p;
  }
}

// The places of the labels that have one, by the index in `labels`.
export function placeLabels(labels: readonly Labelled[], states: readonly Box[]): Map<number, Point> {
  const taken = new Boxes();
  for (const s of states) taken.add(s);
  const placed = new Map<number, Point>();
  const order = labels.map((_, i) => i);
  // Those that must be seen come first, then those with the fewest letters: more of them find room.
  order.sort((a, b) => Number(labels[b]!.first ?? false) - Number(labels[a]!.first ?? false) || labels[a]!.size.w - labels[b]!.size.w);
  for (const i of order) {
    const label = labels[i]!;
    for (const p of candidates(label)) {
      const box = { ...p, ...label.size };
      if (!taken.free(box)) continue;
      taken.add(box);
      placed.set(i, p);
      break;
    }
  }
  return placed;
}
