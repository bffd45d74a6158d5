// Where the states of a conjecture stand, and by which number they go: as in the last conjecture of their epoch.
//
// That one is laid out. A state of an earlier one stands where its heir will stand, so that one can watch a state being
// split: the heir stays, and the others appear beside it. A state without an heir (the last conjecture forbids its word)
// stands at a free place near the state that leads to it, and has a letter instead of a number.
import type { Point, Places } from "../draw/graph";
import type { Lts } from "../types";
import { difference } from "./diff";

export interface Standing {
  places: Places;
  text: string[]; // what is written in each state
}

const kDefaultGap = 90;

const apart = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

// How far a state is from the next one, mostly.
export function gapOf(places: Iterable<Point>): number {
  const all = [...places].slice(0, 200);
  const nearest = all.map((p) => Math.min(...all.filter((q) => q !== p).map((q) => apart(p, q))));
  const finite = nearest.filter((d) => Number.isFinite(d) && d > 0).sort((a, b) => a - b);
  return finite[finite.length >> 1] ?? kDefaultGap;
}

// A place near `from` that is not too near to any of `taken`.
function free(from: Point, gap: number, taken: readonly Point[]): Point {
  for (let ring = 1; ring < 40; ++ring)
    for (let turn = 0; turn < 8 * ring; ++turn) {
      // Downwards first: there is room below a drawing that goes from left to right.
      const angle = Math.PI / 2 + ((turn % 2 === 0 ? turn : -turn - 1) * Math.PI) / (8 * ring);
      const place = { x: from.x + Math.cos(angle) * gap * ring, y: from.y + Math.sin(angle) * gap * ring };
      if (taken.every((other) => apart(place, other) > 0.75 * gap)) return place;
    }
  return { x: from.x, y: from.y + gap };
}

export const letterOf = (n: number): string =>
  n < 26 ? String.fromCharCode(97 + n) : letterOf(Math.floor(n / 26) - 1) + letterOf(n % 26);

export function standing(conjecture: Lts<number>, last: Lts<number>, lastPlaces: Places): Standing {
  const text: string[] = new Array(conjecture.states).fill("");
  const places = new Map<number, Point>();
  const heir = conjecture === last ? undefined : difference(conjecture, last).heir;
  const taken = [...lastPlaces.values()];
  for (let state = 0; state < conjecture.states; ++state) {
    const as = heir === undefined ? state : heir[state];
    if (as === undefined) continue;
    text[state] = String(as);
    const place = lastPlaces.get(as);
    if (place !== undefined) places.set(state, place);
  }
  const gap = gapOf(taken);
  let letters = 0;
  for (let state = 0; state < conjecture.states; ++state) {
    if (text[state] === "") text[state] = letterOf(letters++);
    if (places.has(state)) continue;
    const leading = (conjecture.steps ?? []).find(([from, , to]) => to === state && places.has(from));
    const near = places.get(leading?.[0] ?? 0) ?? taken[0] ?? { x: 0, y: 0 };
    const place = free(near, gap, taken);
    places.set(state, place);
    taken.push(place);
  }
  return { places, text };
}
