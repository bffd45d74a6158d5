// A machine as SVG, for up to 1,000 states: elements of the document, so states can have the focus and colours are CSS.
//
// Layers from below: arcs, states, labels, and what is under the pointer or has the focus, above all others.
import type { Arc, Graph, Places, Point } from "./graph";
import type { Size } from "./dot";
import { kLine, linesSize } from "./measure";
import { placeLabels } from "./place-labels";
import type { Box, Labelled } from "./place-labels";
import { curvePath, headPath, pointAt, route } from "./route";
import type { Curve } from "./route";
import { sayState, stateSize, stateText } from "./scene";
import type { Writing } from "./scene";
import { labelLines } from "./short";
import type { Rect, Seen } from "./view";

const kSpace = "http://www.w3.org/2000/svg";

export function make<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Record<string, string | number> = {},
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(kSpace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

// Lines of text, the middle of which is at a point.
export function textAt(lines: readonly string[], at: Point): SVGTextElement {
  const text = make("text");
  const top = at.y - ((lines.length - 1) * kLine) / 2;
  lines.forEach((line, i) => {
    const span = make("tspan", { x: at.x.toFixed(1), y: (top + i * kLine).toFixed(1) });
    span.textContent = line;
    text.append(span);
  });
  return text;
}

const kFar = 0.45; // below this zoom labels cannot be read
const kAllLabels = 300; // so many states have their labels placed once for all

export class SvgDrawing {
  readonly element = make("svg", { role: "graphics-document", "aria-roledescription": "drawing of a machine" });
  places = new Map<number, Point>();
  curves: Curve[] = [];
  private readonly arcLayer = make("g", { class: "arcs", "aria-hidden": "true" });
  private readonly stateLayer = make("g", { class: "states" });
  private readonly labelLayer = make("g", { class: "labels", "aria-hidden": "true" });
  private readonly above = make("g", { class: "above", "aria-hidden": "true" });
  private readonly arcs: SVGGElement[] = [];
  private readonly states = new Map<number, SVGGElement>();
  private readonly sizes: Size[] = [];
  private readonly lines: string[][] = [];
  private given: (Point | undefined)[] = [];
  private labelled = new Map<number, Point>();
  private stale = true; // labels have to be placed
  private glow?: string;
  private seen: Seen = { x: 0, y: 0, k: 1 };

  constructor(
    private readonly graph: Graph,
    private writing: Writing,
    title: string,
  ) {
    this.element.setAttribute("aria-label", `${title}, ${graph.states} states`);
    this.element.append(this.arcLayer, this.stateLayer, this.labelLayer, this.above);
    for (let s = 0; s < graph.states; ++s) this.sizes[s] = stateSize(graph, writing, s);
    for (const arc of graph.arcs) this.addArc(arc);
    for (const s of graph.order) this.addState(s);
    this.setWriting(writing);
  }

  size = (state: number): Size => this.sizes[state]!;

  private linesOf = (arc: number): string[] => (this.lines[arc] ??= labelLines(this.graph.arcs[arc]!.actions, 20));
  labelSize = (arc: number): Size => linesSize(this.linesOf(arc));

  private addArc(arc: Arc): void {
    const g = make("g", { class: `arc ${arc.kind}${arc.path ? " path" : ""}`, "data-arc": arc.id });
    if (this.graph.arcs.length <= 1_500) g.append(make("path", { class: "hit" }));
    g.append(make("path", { class: "line" }), make("path", { class: "head" }));
    this.arcs[arc.id] = g;
    this.arcLayer.append(g);
  }

  private addState(s: number): void {
    const { w, h } = this.size(s);
    const g = make("g", { "data-state": s, role: "graphics-symbol", "aria-roledescription": "state", tabindex: -1 });
    const round = (out: number, name: string): SVGElement =>
      w === h && s !== this.graph.error
        ? make("circle", { class: name, r: w / 2 + out })
        : make("rect", {
            class: name,
            x: -w / 2 - out,
            y: -h / 2 - out,
            width: w + 2 * out,
            height: h + 2 * out,
            rx: s === this.graph.error ? 3 : h / 2 + out,
          });
    g.append(round(0, "shape"));
    if (s === this.graph.end) g.append(round(-3, "ring"));
    if (s === this.graph.initial) {
      // An arrow from nowhere, at the left upper side, where few steps end.
      const [a, b] = [{ x: -w / 2 - 12, y: -h / 2 - 8 }, { x: -w / 2 + (w === h ? 3.2 : 5), y: -h / 2 + (w === h ? 3.2 : 1.5) }];
      const c = [a.x, a.y, (2 * a.x + b.x) / 3, (2 * a.y + b.y) / 3, (a.x + 2 * b.x) / 3, (a.y + 2 * b.y) / 3, b.x, b.y];
      g.append(make("path", { class: "entry", d: curvePath(c) }), make("path", { class: "entry-head", d: headPath(c, 7, 3) }));
    }
    g.append(textAt([stateText(this.graph, this.writing, s)], { x: 0, y: 0 }));
    this.states.set(s, g);
    this.stateLayer.append(g);
  }

  // Marks that change without a new layout.
  setWriting(writing: Writing): void {
    this.writing = writing;
    const { graph } = this;
    for (const [s, g] of this.states) {
      const words = ["state"];
      if (s === graph.initial) words.push("initial");
      if (s === graph.error) words.push("error");
      if (s === graph.end) words.push("end");
      if (writing.marked?.has(s)) words.push("marked");
      if (writing.fresh?.has(s)) words.push("fresh");
      if (writing.open?.has(s)) words.push("open");
      if (writing.pinned?.has(s)) words.push("pinned");
      if (graph.out[s]!.length === 0 && s !== graph.error && s !== graph.end && !writing.open?.has(s)) words.push("dead");
      g.setAttribute("class", words.join(" "));
      g.setAttribute("aria-label", sayState(graph, writing, s));
      const { w, h } = this.size(s);
      this.sign(g, "plus", writing.fresh?.has(s) === true, "+", w / 2 + 2, -h / 2 - 1);
      this.sign(g, "pin", writing.pinned?.has(s) === true, "•", -w / 2 + 1, h / 2 + 1);
      this.sign(g, "more", writing.open?.has(s) === true, "…", 0, h / 2 + 7);
    }
  }

  private sign(g: SVGGElement, name: string, there: boolean, sign: string, x: number, y: number): void {
    const old = g.querySelector(`.${name}`);
    if (there === (old !== null)) return;
    if (old !== null) old.remove();
    else {
      const text = textAt([sign], { x, y });
      text.setAttribute("class", name);
      g.append(text);
    }
  }

  setGlow(action?: string): void {
    this.glow = action;
    for (const arc of this.graph.arcs)
      this.arcs[arc.id]!.classList.toggle("glow", action !== undefined && arc.actions.includes(action));
    this.stale = true;
  }

  // Puts all where it belongs. Curves that the layout does not give are our own; `given` are its places for labels.
  setPlaces(places: Places, curves: readonly Curve[] = [], given: (Point | undefined)[] = []): void {
    this.places = new Map(places);
    this.given = given;
    const own = this.graph.arcs.filter((a) => (curves[a.id]?.length ?? 0) < 8).map((a) => a.id);
    const routed = route(this.graph, this.places, this.size, own);
    this.curves = this.graph.arcs.map((a) => routed.get(a.id) ?? curves[a.id] ?? []);
    for (const [s, p] of this.places) this.putState(s, p);
    for (const arc of this.graph.arcs) this.putArc(arc.id);
    this.stale = true;
    this.point();
  }

  givenLabels(): (Point | undefined)[] {
    return this.given;
  }

  // One state is moved by hand: its steps, and those of its neighbours that are bowed because of it, are our own now.
  moveState(state: number, to: Point): void {
    this.places.set(state, to);
    this.putState(state, to);
    const touched = [...this.graph.out[state]!, ...this.graph.into[state]!];
    for (const [id, curve] of route(this.graph, this.places, this.size, touched)) {
      this.curves[id] = curve;
      this.given[id] = undefined;
      this.putArc(id);
    }
    this.stale = true;
    this.point();
    this.labelLayer.replaceChildren();
  }

  private putState(s: number, p: Point): void {
    this.states.get(s)?.setAttribute("transform", `translate(${p.x.toFixed(1)} ${p.y.toFixed(1)})`);
  }

  private putArc(id: number): void {
    const curve = this.curves[id]!;
    if (curve.length < 8) return;
    const d = curvePath(curve);
    const strong = this.arcs[id]!.classList.contains("path");
    for (const path of this.arcs[id]!.children)
      path.setAttribute("d", path.classList.contains("head") ? headPath(curve, strong ? 11 : 9, strong ? 4.8 : 3.6) : d);
  }

  bounds(): Rect {
    let [x, y, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    const take = (px: number, py: number, w: number, h: number): void => {
      x = Math.min(x, px - w / 2);
      right = Math.max(right, px + w / 2);
      y = Math.min(y, py - h / 2);
      bottom = Math.max(bottom, py + h / 2);
    };
    for (const [s, p] of this.places) take(p.x, p.y, this.size(s).w + 6, this.size(s).h + 6);
    for (const c of this.curves) for (let i = 0; i + 1 < c.length; i += 2) take(c[i]!, c[i + 1]!, 0, 0);
    // Where labels are does not depend on what is seen, if all of them are placed.
    if (this.graph.states <= kAllLabels && this.stale) {
      this.putLabels(this.graph.arcs);
      this.stale = false;
    }
    for (const [id, p] of this.labelled) take(p.x, p.y, this.labelSize(id).w, this.labelSize(id).h);
    return x > right ? { x: 0, y: 0, width: 0, height: 0 } : { x, y, width: right - x, height: bottom - y };
  }

  // Shows a part: after pan, zoom, layout.
  show(seen: Seen, frame: { width: number; height: number }): void {
    this.seen = seen;
    const [w, h] = [frame.width / seen.k, frame.height / seen.k];
    this.element.setAttribute("viewBox", `${seen.x} ${seen.y} ${w} ${h}`);
    this.element.classList.toggle("far", seen.k < kFar);
    this.element.classList.toggle("very-far", seen.k < 0.25);
    if (this.graph.states <= kAllLabels) {
      if (this.stale) this.putLabels(this.graph.arcs);
    } else if (seen.k < 0.6) {
      this.labelLayer.replaceChildren();
      this.labelled.clear();
    } else {
      const inside = (p: Point): boolean => p.x > seen.x && p.y > seen.y && p.x < seen.x + w && p.y < seen.y + h;
      this.putLabels(this.graph.arcs.filter((a) => this.curves[a.id]!.length >= 8 && inside(pointAt(this.curves[a.id]!, 0.5))));
    }
    this.stale = false;
  }

  private putLabels(arcs: readonly Arc[]): void {
    const drawn = arcs.filter((a) => (this.curves[a.id]?.length ?? 0) >= 8);
    const wanted: Labelled[] = drawn.map((arc) => ({
      curve: this.curves[arc.id]!,
      size: this.labelSize(arc.id),
      given: this.given[arc.id],
      first: arc.kind !== "plain" || arc.path || this.arcs[arc.id]!.classList.contains("glow"),
    }));
    const states: Box[] = [...this.places].map(([s, p]) => ({ ...p, w: this.size(s).w + 2, h: this.size(s).h + 2 }));
    for (const s of this.writing.fresh ?? []) {
      const [p, { w, h }] = [this.places.get(s), this.size(s)];
      if (p !== undefined) states.push({ x: p.x + w / 2 + 2, y: p.y - h / 2 - 1, w: 9, h: 9 }); // its plus
    }
    const initial = this.places.get(this.graph.initial);
    if (initial !== undefined) {
      const { w, h } = this.size(this.graph.initial);
      states.push({ x: initial.x - w / 2 - 6, y: initial.y - h / 2 - 4, w: 14, h: 10 }); // its arrow from nowhere
    }
    const placed = placeLabels(wanted, states);
    this.labelled = new Map([...placed].map(([i, p]) => [drawn[i]!.id, p]));
    this.labelLayer.replaceChildren(
      ...[...this.labelled].map(([id, p]) => {
        const text = textAt(this.linesOf(id), p);
        const { kind, path, actions } = this.graph.arcs[id]!;
        const glows = this.glow !== undefined && actions.includes(this.glow);
        text.setAttribute("class", `label ${kind}${path ? " path" : ""}${glows ? " glow" : ""}`);
        text.setAttribute("data-arc", String(id));
        return text;
      }),
    );
  }

  // The label of one arc above all others; or of all arcs that leave a state, those not seen otherwise.
  point(at: { state?: number; arc?: number } = {}): void {
    this.above.replaceChildren();
    for (const old of this.element.querySelectorAll(".pointed")) old.classList.remove("pointed", "chosen");
    const { state, arc } = at;
    const scale = Math.min(3, Math.max(1, 0.95 / this.seen.k)); // it can be read from far, too
    if (arc !== undefined) {
      this.arcs[arc]?.classList.add("pointed", "chosen");
      this.states.get(this.graph.arcs[arc]!.to)?.classList.add("pointed");
      this.shout(labelLines(this.graph.arcs[arc]!.actions, 44, 12), this.labelled.get(arc) ?? pointAt(this.curves[arc]!, 0.5), scale);
    }
    if (state !== undefined) {
      this.states.get(state)?.classList.add("pointed");
      for (const id of this.graph.out[state]!) this.arcs[id]!.classList.add("pointed");
      if (arc !== undefined) return;
      const hidden = this.graph.out[state]!.filter((id) => !this.labelled.has(id) || this.seen.k < kFar);
      for (const id of hidden.slice(0, 8)) this.shout(this.linesOf(id), pointAt(this.curves[id]!, 0.5), scale);
      const name = this.writing.names?.[state];
      if (name && this.writing.text?.[state] !== name) this.shout([name], this.beside(state), scale);
    }
  }

  private beside(state: number): Point {
    const p = this.places.get(state)!;
    return { x: p.x, y: p.y + this.size(state).h / 2 + 12 };
  }

  private shout(lines: string[], at: Point, scale: number): void {
    const { w, h } = linesSize(lines);
    const g = make("g", { transform: `translate(${at.x.toFixed(1)} ${at.y.toFixed(1)}) scale(${scale.toFixed(2)})` });
    g.append(make("rect", { x: -w / 2 - 3, y: -h / 2 - 2, width: w + 6, height: h + 4, rx: 3 }), textAt(lines, { x: 0, y: 0 }));
    this.above.append(g);
  }

  stateElement(state: number): SVGGElement | undefined {
    return this.states.get(state);
  }
}
