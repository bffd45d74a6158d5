// Where states stand: which layout for which size, and what happens when its time is up.
//
//   <= 60      dot with places for labels
//   <= 300     dot that stops soon; then the full dot for two seconds at most, taken if nobody has moved anything
//   <= 10,000  sfdp; above 1,000 with a bar and a button to stop
//   places     given for all states: none; for some: neato from there
//
// A layout that takes too long is followed by a cheaper one; the last one, by distance, always comes.
import type { Effort, Laid, Size } from "./dot";
import { dotText, kRadius, readPlain } from "./dot";
import { runLater, runNow, TooLong } from "./graphviz";
import type { Runner } from "./graphviz";
import { graphOf } from "./graph";
import type { Graph, Places, Point } from "./graph";
import type { Lts } from "../types";

export const kLabelled = 60;
export const kLayered = 300;
export const kSvg = 1_000;
export const kCanvas = 10_000;

export interface Layout extends Laid {
  effort: Effort | "given" | "layers";
  ms: number;
  stretched?: number;
}

export interface LayoutInput {
  state?: (state: number) => Size;
  label?: (arc: number) => Size;
  frame?: { width: number; height: number }; // what it is to fill
  places?: Places;
  signal?: AbortSignal;
  better?: (layout: Layout) => void; // the full one comes after the quick one
  run?: Runner; // tests have one without a Worker
  later?: Runner;
}

const kEngines: Record<Effort, string> = { labels: "dot", full: "dot", quick: "dot", spread: "sfdp", from: "neato" };

// What is tried, one after the other, with the milliseconds that each may take.
export function plan(graph: Graph, places?: Places): [Effort, number][] {
  const { states } = graph;
  const tries: [Effort, number][] = [];
  if (places !== undefined && places.size > 0 && states <= kLayered) tries.push(["from", 1_500]);
  if (states <= kLabelled && graph.arcs.length <= 6 * kLabelled) tries.push(["labels", 5_000]);
  if (states <= kLayered) tries.push(["quick", 6_000]);
  tries.push(["spread", states <= kSvg ? 20_000 : 120_000]);
  return tries;
}

// Circles of the usual size, unless the states are told.
const kCircle: Size = { w: 2 * kRadius, h: 2 * kRadius };

export function boundsOf(places: Iterable<Point>): { x: number; y: number; width: number; height: number } {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const p of places) {
    left = Math.min(left, p.x);
    right = Math.max(right, p.x);
    top = Math.min(top, p.y);
    bottom = Math.max(bottom, p.y);
  }
  if (left > right) return { x: 0, y: 0, width: 0, height: 0 };
  return { x: left, y: top, width: right - left, height: bottom - top };
}

const laidAt = (places: Places, effort: Layout["effort"]): Layout => {
  const { width, height } = boundsOf(places.values());
  return { effort, ms: 0, width, height, places: new Map(places), curves: [], labels: [] };
};

// A column for each distance.
export function layers(graph: Graph): Layout {
  const rows: number[] = [];
  const places = new Map<number, Point>();
  for (const s of graph.order) {
    const column = graph.distance[s]! + 1;
    const row = (rows[column] = (rows[column] ?? -1) + 1);
    places.set(s, { x: column * 90, y: row * 48 });
  }
  return laidAt(places, "layers");
}

// Whether ranks go downwards: where the picture then fills its frame at a larger scale. To the right, labels make ranks
// far; downwards, they make states of a rank far from each other. What both come to is estimated from the distances.
export function goesDown(graph: Graph, input: LayoutInput, labelled: boolean): boolean {
  const frame = input.frame ?? { width: 700, height: 480 };
  const ranks = Math.max(0, ...graph.distance) + 1;
  const states = new Array<number>(ranks).fill(0);
  const wide = new Array<number>(ranks).fill(0); // of the states of a rank, side by side
  const labels = new Array<number>(ranks).fill(0);
  const widest = new Array<number>(ranks).fill(0);
  const tallest = new Array<number>(ranks).fill(0);
  for (const s of graph.order) {
    const d = Math.max(0, graph.distance[s]!);
    states[d]! += 1;
    wide[d]! += (input.state?.(s) ?? kCircle).w;
  }
  for (const arc of graph.arcs) {
    if (!labelled || input.label === undefined) break;
    const d = Math.max(0, Math.min(graph.distance[arc.from]!, graph.distance[arc.to]!));
    const { w, h } = input.label(arc.id);
    labels[d]! += w + 16;
    widest[d] = Math.max(widest[d]!, w);
    tallest[d] = Math.max(tallest[d]!, h);
  }
  const sum = (of: (d: number) => number): number => states.reduce((all, _, d) => all + of(d), 0);
  const most = (of: (d: number) => number): number => Math.max(...states.map((_, d) => of(d)));
  const right = { w: sum((d) => wide[d]! / states[d]! + 44 + widest[d]!), h: most((d) => states[d]! * 50) };
  const down = { w: most((d) => Math.max(wide[d]! + states[d]! * 22, labels[d]!)), h: sum((d) => 72 + tallest[d]!) };
  const scale = (size: { w: number; h: number }): number => Math.min(1, frame.width / size.w, frame.height / size.h);
  return scale(down) > scale(right) * 1.05;
}

// Spring layouts have a scale of their own. Here most states are so far from their nearest ones that they do not touch.
export function spreadOut(laid: Laid, gap = 40): void {
  const points = [...laid.places.values()].sort((a, b) => a.x - b.x);
  const nearest: number[] = [];
  const take = Math.max(1, Math.floor(points.length / 2_000)); // a sample is enough
  for (let i = 0; i < points.length; i += take) {
    const p = points[i]!;
    let best = Infinity;
    for (const by of [-1, 1])
      for (let j = i + by; points[j] !== undefined && Math.abs(points[j]!.x - p.x) < best; j += by)
        best = Math.min(best, Math.hypot(points[j]!.x - p.x, points[j]!.y - p.y));
    if (best < Infinity) nearest.push(best);
  }
  nearest.sort((a, b) => a - b);
  const near = nearest[Math.floor(nearest.length / 8)] ?? 1;
  const scale = Math.min(200, gap / Math.max(near, gap / 200));
  for (const p of laid.places.values()) {
    p.x *= scale;
    p.y *= scale;
  }
  laid.width *= scale;
  laid.height *= scale;
}

const kRanks = 0.6; // inches from one rank to the next, where labels need no room
const kLabelRanks = 0.3; // where labels make room of their own
const kStretched = 5;
const kWorth = 1.5; // from here on a layout with labels is made again, with its ranks farther from each other

// Few and long ranks: they are drawn as far from each other as the frame has room, so that steps can be told apart. By how
// much:
function slack(laid: Laid, down: boolean, frame = { width: 700, height: 480 }): number {
  const across = down ? laid.width / frame.width : laid.height / frame.height;
  const along = down ? laid.height / frame.height : laid.width / frame.width;
  return Math.min(kStretched, across / Math.max(along, 1e-6));
}

function stretch(laid: Laid, down: boolean, by: number): number {
  if (by <= 1.1) return 1;
  for (const p of laid.places.values())
    if (down) p.y *= by;
    else p.x *= by;
  if (down) laid.height *= by;
  else laid.width *= by;
  return by;
}

async function attempt(
  graph: Graph,
  effort: Effort,
  ms: number,
  input: LayoutInput,
  run: Runner,
  ranks?: number, // how far they are from each other, in inches
): Promise<Layout> {
  const began = performance.now();
  const down = effort !== "from" && effort !== "spread" && goesDown(graph, input, effort === "labels");
  const dot = dotText(graph, {
    effort,
    states: input.state ?? (() => kCircle),
    label: effort === "labels" ? input.label : undefined,
    start: effort === "from" ? input.places : undefined,
    down,
    ranks,
  });
  const text = await run(dot, kEngines[effort], ms, input.signal);
  const laid = readPlain(text, graph, effort === "labels" || effort === "full");
  if (effort === "spread") spreadOut(laid);
  if (effort === "from") spreadOut(laid, 70);
  const room = slack(laid, down, input.frame);
  if (effort === "labels" && ranks === undefined && room > kWorth) {
    const more = ((room - 1) * (down ? laid.height : laid.width)) / 72 / Math.max(1, ...graph.distance);
    return attempt(graph, effort, ms, input, run, kLabelRanks + more);
  }
  const by = effort === "quick" ? stretch(laid, down, room) : 1;
  return { ...laid, effort, stretched: by, ms: performance.now() - began };
}

export async function layOutGraph(graph: Graph, input: LayoutInput = {}): Promise<Layout> {
  const { places } = input;
  const run = input.run ?? runNow;
  if (places !== undefined && graph.order.every((s) => places.has(s))) return laidAt(places, "given");
  for (const [effort, ms] of plan(graph, places)) {
    let layout: Layout;
    try {
      layout = await attempt(graph, effort, ms, input, run);
    } catch (e) {
      if (e instanceof TooLong) continue;
      throw e;
    }
    const { better } = input;
    if (effort === "quick" && better !== undefined)
      attempt(graph, "full", 2_000, input, input.later ?? runLater, kRanks * (layout.stretched ?? 1)).then(better, () => undefined); // it may be too long
    return layout;
  }
  return layers(graph);
}

// Where only places matter, because all curves are our own: what is smaller than a usual picture is drawn apart, each way
// by itself, so that labels find room between states.
const kUsual = { width: 420, height: 250 };
const kApart = 1.9;

export function apart(places: Places): Places {
  const { width, height } = boundsOf(places.values());
  const by = (room: number, has: number): number => Math.min(kApart, Math.max(1, room / Math.max(1, has)));
  const [x, y] = [by(kUsual.width, width), by(kUsual.height, height)];
  return new Map([...places].map(([s, p]) => [s, { x: p.x * x, y: p.y * y }]));
}

// The places of a machine that is not drawn now: Proof lays out an epoch's last conjecture for all of the epoch.
export async function layOut(lts: Lts, signal?: AbortSignal): Promise<Places> {
  return apart((await layOutGraph(graphOf(lts), { signal })).places);
}
