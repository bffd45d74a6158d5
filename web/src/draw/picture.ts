// One drawing in one element: the graph, its layout, the view, the hands. `drawing.tsx` makes one for each machine that it
// is given, and changes its marks.
import { CanvasDrawing } from "./canvas";
import { graphOf } from "./graph";
import type { Graph, Places, Point } from "./graph";
import { Hands } from "./hands";
import { boundsOf, kLayered, kSvg, layers, layOutGraph } from "./layout";
import type { Layout } from "./layout";
import { readPins, writePins } from "./pins";
import type { Writing } from "./scene";
import { svgText } from "./save-svg";
import { SvgDrawing } from "./svg";
import { fitted, View } from "./view";
import type { Rect, Seen } from "./view";
import type { DrawingProps } from "./drawing";

export interface Told {
  busy: (of: { states: number; arcs: number } | undefined) => void; // a layout is being made
  trouble: (text: string) => void;
  say: (text: string) => void;
}

const kLate = 1_500; // ms after which a makeshift layout is shown
const kMoveMs = 200;
const kMovedAtMost = 150; // larger machines jump

const kAside = 72;
const kAbove = 50;
const kTight = 22;
const kReadable = 0.6; // zoomed out farther, labels are too small

export interface Before {
  places: Places;
  room?: Places;
  needed?: Rect; // what it has shown
  seen?: Seen; // chosen by hand
}

const union = (a: Rect, b: Rect): Rect => {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  return { x, y, width: Math.max(a.x + a.width, b.x + b.width) - x, height: Math.max(a.y + a.height, b.y + b.height) - y };
};

// Labels are in it already: it needs less of a margin.
const tight = (r: Rect): Rect => ({ x: r.x + kTight, y: r.y + kTight, width: r.width - 2 * kTight, height: r.height - 2 * kTight });

const contains = (a: Rect, b: Rect): boolean =>
  a.x <= b.x && a.y <= b.y && a.x + a.width >= b.x + b.width && a.y + a.height >= b.y + b.height;

export class Picture {
  readonly graph: Graph;
  private readonly drawing: SvgDrawing | CanvasDrawing;
  private readonly stop = new AbortController();
  private readonly pins: Map<number, Point>;
  private writing: Writing;
  private needed?: Rect;
  private view?: View;
  private hands?: Hands;
  private dragged = false;
  private frame = 0;
  private late?: ReturnType<typeof setTimeout>;

  constructor(
    private readonly box: HTMLElement,
    private props: DrawingProps,
    private readonly told: Told,
    before?: Before, // the picture before this one: states move from where they stood there
  ) {
    if (before?.room === props.room) this.needed = before?.needed;
    this.graph = graphOf(props.lts, props.hidden, props.diff, props.path, props.center);
    this.pins = readPins(props.pins, this.graph);
    this.writing = this.writingOf(props);
    const kind = this.graph.states <= kSvg ? SvgDrawing : CanvasDrawing;
    this.drawing = new kind(this.graph, this.writing, props.title);
    this.drawing.setGlow(props.glow);
    box.replaceChildren(this.drawing.element);
    box.classList.add("waiting");
    this.layOut(before).catch((e: unknown) => {
      if (this.stop.signal.aborted) return; // another picture tells now
      told.trouble(e instanceof Error ? e.message : String(e));
      told.busy(undefined);
      this.makeShift();
    });
  }

  private writingOf(props: DrawingProps): Writing {
    return {
      text: props.text,
      names: props.lts.names,
      marked: new Set(props.marked),
      fresh: new Set(props.diff?.newStates),
      open: new Set(props.open),
      pinned: new Set(this.pins.keys()),
    };
  }

  // Before Graphviz answers, or if it cannot be had: states by their distance.
  private makeShift(): void {
    clearTimeout(this.late);
    if (this.view !== undefined) return;
    this.put(layers(this.graph));
    this.look();
  }

  private async layOut(before?: Before): Promise<void> {
    const { graph, drawing, props } = this;
    this.told.busy({ states: graph.states, arcs: graph.arcs.length });
    if (graph.states <= kLayered) this.late = setTimeout(() => this.makeShift(), kLate);
    const layout = await layOutGraph(graph, {
      state: drawing instanceof SvgDrawing ? drawing.size : undefined,
      label: drawing instanceof SvgDrawing ? drawing.labelSize : undefined,
      frame: { width: this.box.clientWidth || 700, height: this.box.clientHeight || 480 },
      places: props.places,
      signal: this.stop.signal,
      better: (better) => {
        if (this.stop.signal.aborted || this.dragged || this.view?.touched) return;
        this.put(better);
        this.view?.fit();
      },
    });
    if (this.stop.signal.aborted) return;
    this.told.busy(undefined);
    clearTimeout(this.late);
    if (this.dragged) return; // somebody works with the makeshift one
    this.put(layout);
    if (this.view === undefined) this.look(before);
    else if (this.view.touched) this.view.settle();
    else this.view.fit();
    if (before !== undefined && before.places.size > 0) this.moveFrom(before.places);
  }

  private put(layout: Layout): void {
    this.box.classList.remove("waiting");
    for (const [s, p] of this.pins) layout.places.set(s, p);
    const moved = new Set(this.pins.keys());
    for (const arc of this.graph.arcs)
      if (moved.has(arc.from) || moved.has(arc.to)) {
        layout.curves[arc.id] = [];
        layout.labels[arc.id] = undefined;
      }
    if (this.drawing instanceof SvgDrawing) this.drawing.setPlaces(layout.places, layout.curves, layout.labels);
    else this.drawing.setPlaces(layout.places);
    this.props.onPlaces?.(layout.places);
  }

  // What is to be seen: as long as it has room there, what the picture before this one showed, so that the view stays; else
  // all of the room, if that can be read, with what loops and labels need around it; else no more than is needed.
  private content(): Rect {
    const its = this.drawing.bounds();
    const { room } = this.props;
    if (room === undefined) return its;
    if (this.needed !== undefined && contains(this.needed, its)) return tight(this.needed);
    const all = boundsOf(room.values());
    const around = { x: all.x - kAside, y: all.y - kAbove, width: all.width + 2 * kAside, height: all.height + 2 * kAbove };
    const frame = { width: this.box.clientWidth, height: this.box.clientHeight };
    const before = this.needed ?? its;
    const larger = [union(union(its, around), before), union(its, around), union(its, before)];
    this.needed = larger.find((rect) => fitted(tight(rect), frame).k >= kReadable) ?? its;
    return tight(this.needed);
  }

  private look(before?: Before): void {
    if (this.view !== undefined) return;
    const { box, drawing } = this;
    if (this.props.small) {
      // A picture among others: it fits its box, and no hand moves it.
      this.view = new View(box, drawing.element, (seen) => drawing.show(seen, this.view!.size()), () => this.content(), () => true);
      this.view.fit();
      return;
    }
    let hands: Hands | undefined;
    this.view = new View(
      box,
      drawing.element,
      (seen) => drawing.show(seen, this.view!.size()),
      () => this.content(),
      (e) => hands?.grab(e) ?? false,
    );
    if (before?.seen !== undefined && before.room === this.props.room) this.view.look(before.seen);
    else this.view.fit();
    this.hands = hands = new Hands(box, this.graph, drawing, () => this.view!, () => this.writing, {
      open: this.props.onOpen && ((state) => this.props.onOpen?.(state)),
      pin: (state) => this.pin(state),
      moved: () => {
        this.dragged = true;
        this.props.onPlaces?.(this.drawing.places);
      },
      say: this.told.say,
    });
  }

  // States go from where they stood to where they belong.
  private moveFrom(before: Places): void {
    const { drawing } = this;
    if (!(drawing instanceof SvgDrawing) || this.graph.states > kMovedAtMost) return;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const to = new Map(drawing.places);
    const far = [...to].some(([s, p]) => before.has(s) && Math.hypot(before.get(s)!.x - p.x, before.get(s)!.y - p.y) > 2);
    if (!far) return;
    const [curves, given] = [drawing.curves, drawing.givenLabels()];
    const began = performance.now();
    const step = (now: number): void => {
      const part = Math.min(1, (now - began) / kMoveMs);
      const ease = part * part * (3 - 2 * part);
      if (part === 1) {
        drawing.setPlaces(to, curves, given);
        if (this.view?.touched) this.view.settle();
        else this.view?.fit();
        return;
      }
      const between = new Map<number, Point>();
      for (const [s, p] of to) {
        const b = before.get(s) ?? p;
        between.set(s, { x: b.x + (p.x - b.x) * ease, y: b.y + (p.y - b.y) * ease });
      }
      drawing.setPlaces(between);
      this.frame = requestAnimationFrame(step);
    };
    this.frame = requestAnimationFrame(step);
  }

  private rewrite(): void {
    this.writing = this.writingOf(this.props);
    this.drawing.setWriting(this.writing);
  }

  // What can change without a new drawing.
  change(props: DrawingProps): void {
    const old = this.props;
    this.props = props;
    const same = props.marked === old.marked && props.open === old.open && props.diff === old.diff && props.text === old.text;
    if (!same) this.rewrite();
    if (props.glow !== old.glow) {
      this.drawing.setGlow(props.glow);
      this.view?.settle();
    }
  }

  pin(state: number): void {
    const at = this.drawing.places.get(state);
    if (at === undefined) return;
    if (this.pins.has(state)) this.pins.delete(state);
    else this.pins.set(state, at);
    writePins(this.props.pins, this.graph, this.pins);
    this.told.say(`state ${state} ${this.pins.has(state) ? "pinned" : "free"}`);
    this.rewrite();
  }

  // For the picture that takes the place of this one: what a hand has chosen to see stays.
  before(): Before {
    const { view, props } = this;
    return { places: this.drawing.places, room: props.room, needed: this.needed, ...(view?.touched ? { seen: view.seen } : {}) };
  }
  fit(): void {
    this.view?.fit();
  }
  zoom(by: number): void {
    this.view?.zoom(by);
  }
  svg(): string | undefined {
    return this.drawing instanceof SvgDrawing ? svgText(this.drawing.element, this.drawing.bounds()) : undefined;
  }
  halt(): void {
    this.stop.abort();
    clearTimeout(this.late);
  }
  end(): void {
    this.halt();
    cancelAnimationFrame(this.frame);
    this.hands?.end();
    this.view?.end();
    this.box.replaceChildren();
  }
}
