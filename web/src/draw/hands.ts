// Pointer and keys on a drawing: hover, drag, pin, and the walk along steps.
import type { CanvasDrawing } from "./canvas";
import type { Graph, Point } from "./graph";
import { walked } from "./keys";
import type { Stand } from "./keys";
import { sayArc, stateText } from "./scene";
import type { Writing } from "./scene";
import { SvgDrawing } from "./svg";
import type { View } from "./view";

export interface Deeds {
  open?: (state: number) => void;
  pin: (state: number) => void;
  moved: () => void; // a state was dragged
  say: (text: string) => void; // to who cannot see it
}

const numberOf = (target: EventTarget | null, name: "state" | "arc"): number | undefined => {
  const found = target instanceof Element ? target.closest(`[data-${name}]`)?.getAttribute(`data-${name}`) : undefined;
  return found === undefined || found === null ? undefined : Number(found);
};

export class Hands {
  private stand: Stand;
  private dragged?: { state: number; by: Point; moved: boolean; from: Point };
  private readonly ends: (() => void)[] = [];

  constructor(
    private readonly box: HTMLElement,
    private readonly graph: Graph,
    private readonly drawing: SvgDrawing | CanvasDrawing,
    private readonly view: () => View,
    private readonly writing: () => Writing,
    private readonly deeds: Deeds,
  ) {
    this.stand = { state: graph.root, trail: [] };
    const on = <K extends keyof HTMLElementEventMap>(type: K, f: (e: HTMLElementEventMap[K]) => void): void => {
      box.addEventListener(type, f);
      this.ends.push(() => box.removeEventListener(type, f));
    };
    on("pointermove", (e) => (this.dragged === undefined ? this.hover(e) : this.drag(e)));
    on("pointerup", (e) => this.drop(e));
    on("pointerleave", () => {
      if (this.dragged !== undefined && !this.dragged.moved) this.dragged = undefined;
      this.showStand();
    });
    on("dblclick", (e) => {
      const state = numberOf(e.target, "state");
      if (state !== undefined) deeds.pin(state);
    });
    on("keydown", (e) => this.key(e));
    on("focusin", (e) => {
      const state = numberOf(e.target, "state");
      if (state !== undefined && state !== this.stand.state) this.stand = { state, trail: [] };
      if (!(this.drawing instanceof SvgDrawing)) deeds.say(this.drawing.say(this.stand.state));
      this.showStand();
    });
    on("focusout", () => this.drawing.point());
    this.rove();
  }

  // Asked by the view, before it takes the pointer for itself.
  grab = (e: PointerEvent): boolean => {
    if (!(this.drawing instanceof SvgDrawing)) return false;
    const state = numberOf(e.target, "state");
    if (state === undefined) return false;
    const at = this.view().toWorld(e);
    const from = this.drawing.places.get(state)!;
    this.dragged = { state, by: { x: from.x - at.x, y: from.y - at.y }, moved: false, from: { x: e.clientX, y: e.clientY } };
    return true;
  };

  private drag(e: PointerEvent): void {
    const d = this.dragged!;
    if (!d.moved && Math.hypot(e.clientX - d.from.x, e.clientY - d.from.y) < 3) return;
    // Not before: a pointer that is captured makes no double click on the state.
    if (!d.moved) this.box.setPointerCapture(e.pointerId);
    d.moved = true;
    const at = this.view().toWorld(e);
    (this.drawing as SvgDrawing).moveState(d.state, { x: at.x + d.by.x, y: at.y + d.by.y });
  }

  private drop(e: PointerEvent): void {
    const d = this.dragged;
    this.dragged = undefined;
    if (d !== undefined) {
      this.stand = { state: d.state, trail: [] };
      this.focus();
      if (d.moved) {
        this.view().touched = true;
        this.view().settle();
        this.deeds.moved();
      }
      return;
    }
    if (this.drawing instanceof SvgDrawing || this.box.classList.contains("grabbing") || e.button !== 0) return;
    const state = this.drawing.stateAt(this.view().toWorld(e));
    if (state === undefined || !(e.target instanceof HTMLCanvasElement)) return;
    this.stand = { state, trail: [] };
    this.deeds.open?.(state);
  }

  private hover(e: PointerEvent): void {
    if (e.buttons !== 0) return;
    if (this.drawing instanceof SvgDrawing) {
      const state = numberOf(e.target, "state");
      const arc = numberOf(e.target, "arc");
      if (state !== undefined) this.drawing.point({ state });
      else if (arc !== undefined) this.drawing.point({ arc });
      else this.showStand();
      return;
    }
    const state = this.drawing.stateAt(this.view().toWorld(e));
    this.drawing.point(state === undefined ? {} : { state });
    this.deeds.say(state === undefined ? "" : this.drawing.say(state));
  }

  private key(e: KeyboardEvent): void {
    if (e.ctrlKey || e.altKey || e.metaKey) return;
    const view = this.view();
    if (e.target !== this.drawing.element && numberOf(e.target, "state") === undefined) return;
    switch (e.key) {
      case "+":
      case "=":
        view.zoom(1.25);
        break;
      case "-":
        view.zoom(0.8);
        break;
      case "0":
        view.fit();
        break;
      case "p":
      case "P":
        this.deeds.pin(this.stand.state);
        break;
      case "Enter":
        this.deeds.open?.(this.stand.state);
        break;
      default: {
        const next = walked(this.graph, this.stand, e.key);
        if (next === undefined) return;
        this.walk(next);
      }
    }
    e.preventDefault();
    e.stopPropagation();
  }

  private walk(next: Stand): void {
    const { state, arc } = next;
    const stays = state === this.stand.state && next.trail.length === this.stand.trail.length;
    this.stand = next;
    const text = (s: number): string => stateText(this.graph, this.writing(), s);
    if (stays && arc !== undefined) {
      const leaving = this.graph.out[state]!;
      this.deeds.say(`step ${leaving.indexOf(arc) + 1} of ${leaving.length}: ${sayArc(this.graph.arcs[arc]!, text)}`);
    } else if (!(this.drawing instanceof SvgDrawing)) this.deeds.say(this.drawing.say(state));
    const place = this.drawing.places.get(state);
    if (place !== undefined) this.view().see(place);
    this.focus();
  }

  private rove(): void {
    if (!(this.drawing instanceof SvgDrawing)) return;
    this.drawing.element.querySelector('[tabindex="0"]')?.setAttribute("tabindex", "-1");
    this.drawing.stateElement(this.stand.state)?.setAttribute("tabindex", "0");
  }

  private focus(): void {
    this.rove();
    if (this.drawing instanceof SvgDrawing) this.drawing.stateElement(this.stand.state)?.focus({ preventScroll: true });
    this.showStand();
  }

  // What has the focus is shown when nothing is under the pointer.
  private showStand(): void {
    const inside = this.box.contains(document.activeElement) && document.activeElement !== this.box;
    this.drawing.point(inside ? { state: this.stand.state, arc: this.stand.arc } : {});
  }

  end(): void {
    for (const end of this.ends) end();
  }
}
