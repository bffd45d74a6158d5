// A machine of 1,000 to 10,000 states: dots and lines on a canvas. From near, states get their numbers and steps their
// heads; the step that is chosen, the states that are marked and the steps that are found are drawn over the others.
import type { Graph, Places, Point } from "./graph";
import { kFont } from "./measure";
import { headPath, pointAt, route } from "./route";
import { sayState, stateSize, stateText } from "./scene";
import type { Writing } from "./scene";
import type { Rect, Seen } from "./view";
import { boundsOf } from "./layout";

// Colours are CSS variables with one value for each scheme; what they are now only a styled element knows.
function colours(of: HTMLElement, names: readonly string[]): Record<string, string> {
  const probe = document.createElement("span");
  of.append(probe);
  const out: Record<string, string> = {};
  for (const name of names) {
    probe.style.setProperty("color", `var(--${name})`);
    out[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return out;
}

const kNear = 0.5; // from this zoom on: numbers and heads

export class CanvasDrawing {
  readonly element = document.createElement("canvas");
  places: Places = new Map();
  private xs = new Float64Array(0);
  private ys = new Float64Array(0);
  private glow?: string;
  private pointed?: number; // a state
  private chosen?: number; // an arc
  private seen: Seen = { x: 0, y: 0, k: 1 };
  private frame = { width: 0, height: 0 };

  constructor(
    private readonly graph: Graph,
    private writing: Writing,
    title: string,
  ) {
    // One element, whose keys walk through it: where that leads is said beside it.
    this.element.setAttribute("role", "application");
    this.element.setAttribute("aria-roledescription", "drawing of a machine");
    this.element.setAttribute("aria-label", `${title}, ${graph.states} states`);
    this.element.tabIndex = 0;
  }

  setPlaces(places: Places): void {
    this.places = places;
    this.xs = new Float64Array(this.graph.states);
    this.ys = new Float64Array(this.graph.states);
    for (const [s, p] of places) {
      this.xs[s] = p.x;
      this.ys[s] = p.y;
    }
  }
  setWriting(writing: Writing): void {
    this.writing = writing;
    this.show(this.seen, this.frame);
  }
  setGlow(action?: string): void {
    this.glow = action;
    this.show(this.seen, this.frame);
  }
  point(at: { state?: number; arc?: number } = {}): void {
    if (at.state === this.pointed && at.arc === this.chosen) return;
    this.pointed = at.state;
    this.chosen = at.arc;
    this.show(this.seen, this.frame);
  }

  bounds(): Rect {
    return boundsOf(this.places.values());
  }

  // The state nearest to a point, if it is near.
  stateAt(p: Point): number | undefined {
    const reach = Math.max(16, 12 / this.seen.k);
    let best: number | undefined;
    let nearest = reach * reach;
    for (let s = 0; s < this.graph.states; ++s) {
      const d = (this.xs[s]! - p.x) ** 2 + (this.ys[s]! - p.y) ** 2;
      if (d < nearest) {
        nearest = d;
        best = s;
      }
    }
    return best;
  }

  say(state: number): string {
    return sayState(this.graph, this.writing, state);
  }

  show(seen: Seen, frame: { width: number; height: number }): void {
    this.seen = seen;
    this.frame = frame;
    const ratio = window.devicePixelRatio || 1;
    const [w, h] = [Math.round(frame.width * ratio), Math.round(frame.height * ratio)];
    if (w === 0 || h === 0 || this.places.size === 0) return;
    if (this.element.width !== w || this.element.height !== h) {
      this.element.width = w;
      this.element.height = h;
    }
    const pen = this.element.getContext("2d")!;
    const colour = colours(this.element.parentElement!, ["step", "text", "accent", "on-accent", "amber", "violated", "state", "panel"]);
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, w, h);
    const k = seen.k * ratio;
    pen.setTransform(k, 0, 0, k, -seen.x * k, -seen.y * k);
    const margin = 60 / seen.k;
    const [left, top] = [seen.x - margin, seen.y - margin];
    const [right, bottom] = [seen.x + frame.width / seen.k + margin, seen.y + frame.height / seen.k + margin];
    const inside = (s: number): boolean => this.xs[s]! > left && this.xs[s]! < right && this.ys[s]! > top && this.ys[s]! < bottom;
    const near = seen.k >= kNear;

    const arcs = this.graph.arcs.filter((a) => inside(a.from) || inside(a.to));
    // Lines lie over each other where there are many: the more there are, the fainter.
    pen.globalAlpha = near ? 0.8 : Math.min(0.7, Math.max(0.07, 2_500 / (arcs.length + 1)));
    this.lines(pen, arcs.map((a) => a.id), colour["step"]!, near ? 1 : 0.9 / seen.k, near);
    pen.globalAlpha = 1;
    if (this.glow !== undefined) {
      const found = arcs.filter((a) => a.actions.includes(this.glow!)).map((a) => a.id);
      this.lines(pen, found, colour["amber"]!, Math.max(2.5, 2 / seen.k), near);
    }
    if (this.pointed !== undefined)
      this.lines(pen, this.graph.out[this.pointed]!, colour["accent"]!, Math.max(1.8, 1.6 / seen.k), near);
    if (this.chosen !== undefined) this.lines(pen, [this.chosen], colour["accent"]!, Math.max(3, 3 / seen.k), near);
    this.dots(pen, colour, inside, near);
  }

  private lines(pen: CanvasRenderingContext2D, ids: readonly number[], colour: string, width: number, near: boolean): void {
    pen.strokeStyle = pen.fillStyle = colour;
    pen.lineWidth = width;
    pen.beginPath();
    if (!near) {
      for (const id of ids) {
        const { from, to } = this.graph.arcs[id]!;
        pen.moveTo(this.xs[from]!, this.ys[from]!);
        pen.lineTo(this.xs[to]!, this.ys[to]!);
      }
      pen.stroke();
      return;
    }
    const size = (s: number): { w: number; h: number } => stateSize(this.graph, this.writing, s);
    const curves = route(this.graph, this.places, size, ids);
    for (const c of curves.values()) {
      pen.moveTo(c[0]!, c[1]!);
      pen.bezierCurveTo(c[2]!, c[3]!, c[4]!, c[5]!, c[6]!, c[7]!);
    }
    pen.stroke();
    for (const c of curves.values()) pen.fill(new Path2D(headPath(c, 8, 3.2)));
    if (ids.length > 200) return;
    pen.font = kFont;
    pen.textAlign = "center";
    for (const [id, c] of curves) {
      const at = pointAt(c, 0.5);
      pen.fillText(this.graph.arcs[id]!.actions[0]!, at.x, at.y - 4);
    }
  }

  private dots(
    pen: CanvasRenderingContext2D,
    colour: Record<string, string>,
    inside: (s: number) => boolean,
    near: boolean,
  ): void {
    const r = near ? 14 : Math.min(14, Math.max(4, 1.7 / this.seen.k));
    const { graph } = this;
    const ring = (states: Iterable<number>, fill: string, grow: number): void => {
      pen.fillStyle = fill;
      pen.beginPath();
      for (const s of states) {
        if (!inside(s)) continue;
        pen.moveTo(this.xs[s]! + r * grow, this.ys[s]!);
        pen.arc(this.xs[s]!, this.ys[s]!, r * grow, 0, 2 * Math.PI);
      }
      pen.fill();
    };
    ring(graph.order, colour["text"]!, 1);
    if (near) ring(graph.order, colour["state"]!, 0.92);
    if (graph.initial >= 0) ring([graph.initial], colour["text"]!, near ? 1.15 : 1.7);
    if (graph.error !== undefined) ring([graph.error], colour["violated"]!, near ? 1.15 : 1.7);
    ring(this.writing.marked ?? [], colour["accent"]!, near ? 1.15 : 2.2);
    if (this.pointed !== undefined) ring([this.pointed], colour["accent"]!, near ? 1.1 : 1.8);
    if (!near) return;
    pen.font = kFont;
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    for (const s of graph.order) {
      if (!inside(s)) continue;
      const dark = this.writing.marked?.has(s) || s === this.pointed;
      pen.fillStyle = dark ? colour["on-accent"]! : s === graph.initial || s === graph.error ? colour["panel"]! : colour["text"]!;
      pen.fillText(stateText(graph, this.writing, s), this.xs[s]!, this.ys[s]!);
    }
  }
}
