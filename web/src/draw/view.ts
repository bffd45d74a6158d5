// Pan and zoom. While the hand moves, the drawing that is there is only shifted and scaled by a CSS transform; when the
// hand stops, it is drawn anew for the part that is seen. That is five to ten times as many pictures a second as drawing
// at each move.

export interface Seen {
  x: number; // what stands at the left upper corner
  y: number;
  k: number; // screen points for each point of the drawing
}
export interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

const kLeast = 0.002; // 10,000 states, laid out by springs, are as wide as that
const kMost = 6;
const clampZoom = (k: number): number => Math.min(kMost, Math.max(kLeast, k));

// A rectangle in the middle of a frame, with a margin; not larger than life.
export function fitted(content: Rect, frame: { width: number; height: number }, margin = 30, most = 1.4): Seen {
  const k = clampZoom(
    Math.min(
      most,
      (frame.width - 2) / Math.max(1, content.width + 2 * margin),
      (frame.height - 2) / Math.max(1, content.height + 2 * margin),
    ),
  );
  return {
    k,
    x: content.x + content.width / 2 - frame.width / 2 / k,
    y: content.y + content.height / 2 - frame.height / 2 / k,
  };
}

// Zooms so that the point of the frame at (px, py) stays.
export function zoomed(seen: Seen, by: number, px: number, py: number): Seen {
  const k = clampZoom(seen.k * by);
  return { k, x: seen.x + px / seen.k - px / k, y: seen.y + py / seen.k - py / k };
}

export class View {
  seen: Seen = { x: 0, y: 0, k: 1 };
  touched = false; // a hand has moved it: it is not fitted again by itself
  private drawn: Seen = this.seen;
  private timer?: ReturnType<typeof setTimeout>;
  private frame = 0;
  private readonly pointers = new Map<number, { x: number; y: number }>();
  private readonly ends: (() => void)[] = [];
  private readonly observer: ResizeObserver;

  // `stage` is moved; `draw` draws what is seen. `grab` is asked first: it may take the pointer for itself.
  constructor(
    private readonly box: HTMLElement,
    private readonly stage: HTMLElement | SVGElement,
    private readonly draw: (seen: Seen) => void,
    private readonly content: () => Rect,
    private readonly grab: (event: PointerEvent) => boolean = () => false,
  ) {
    const on = <K extends keyof HTMLElementEventMap>(type: K, f: (e: HTMLElementEventMap[K]) => void): void => {
      box.addEventListener(type, f, { passive: false });
      this.ends.push(() => box.removeEventListener(type, f));
    };
    on("wheel", (e) => {
      e.preventDefault();
      const { px, py } = this.inBox(e);
      const lines = e.deltaMode === 1 ? 16 : 1;
      this.move(zoomed(this.seen, Math.exp(-e.deltaY * lines * (e.ctrlKey ? 0.01 : 0.0016)), px, py));
    });
    on("pointerdown", (e) => {
      if (e.button !== 0 || this.grab(e)) return;
      this.pointers.set(e.pointerId, { x: e.clientX, y: e.clientY });
    });
    on("pointermove", (e) => this.drag(e));
    for (const type of ["pointerup", "pointercancel", "lostpointercapture"] as const)
      on(type, (e) => {
        this.pointers.delete(e.pointerId);
        box.classList.remove("grabbing");
      });
    this.observer = new ResizeObserver(() => (this.touched ? this.settle() : this.fit()));
    this.observer.observe(box);
  }

  private inBox(e: { clientX: number; clientY: number }): { px: number; py: number } {
    const r = this.box.getBoundingClientRect();
    return { px: e.clientX - r.left, py: e.clientY - r.top };
  }

  private drag(e: PointerEvent): void {
    const before = this.pointers.get(e.pointerId);
    if (before === undefined) return;
    if (this.pointers.size === 1) {
      const [dx, dy] = [e.clientX - before.x, e.clientY - before.y];
      if (!this.box.classList.contains("grabbing")) {
        if (Math.hypot(dx, dy) < 3) return; // a click
        this.box.setPointerCapture(e.pointerId);
        this.box.classList.add("grabbing");
      }
      this.move({ ...this.seen, x: this.seen.x - dx / this.seen.k, y: this.seen.y - dy / this.seen.k });
    } else {
      const other = [...this.pointers].find(([id]) => id !== e.pointerId)![1];
      const far = (p: { x: number; y: number }): number => Math.hypot(p.x - other.x, p.y - other.y) || 1;
      const { px, py } = this.inBox({ clientX: (e.clientX + other.x) / 2, clientY: (e.clientY + other.y) / 2 });
      this.move(zoomed(this.seen, far({ x: e.clientX, y: e.clientY }) / far(before), px, py));
    }
    this.pointers.set(e.pointerId, { x: e.clientX, y: e.clientY });
  }

  size(): { width: number; height: number } {
    return { width: this.box.clientWidth, height: this.box.clientHeight };
  }

  toWorld(e: { clientX: number; clientY: number }): { x: number; y: number } {
    const { px, py } = this.inBox(e);
    return { x: this.seen.x + px / this.seen.k, y: this.seen.y + py / this.seen.k };
  }

  // By hand: moves what is drawn now, and draws anew a little after the last move.
  move(seen: Seen): void {
    this.touched = true;
    this.seen = seen;
    if (this.frame === 0)
      this.frame = requestAnimationFrame(() => {
        this.frame = 0;
        const scale = this.seen.k / this.drawn.k;
        const [dx, dy] = [(this.drawn.x - this.seen.x) * this.seen.k, (this.drawn.y - this.seen.y) * this.seen.k];
        this.stage.style.setProperty("will-change", "transform");
        this.stage.style.setProperty("transform", `translate(${dx}px, ${dy}px) scale(${scale})`);
      });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.settle(), 140);
  }

  settle(): void {
    clearTimeout(this.timer);
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.drawn = this.seen;
    this.stage.style.removeProperty("transform");
    this.stage.style.removeProperty("will-change");
    this.draw(this.seen);
  }

  zoom(by: number): void {
    const { width, height } = this.size();
    this.move(zoomed(this.seen, by, width / 2, height / 2));
  }

  look(seen: Seen): void {
    this.touched = true;
    this.seen = seen;
    this.settle();
  }

  fit(): void {
    const size = this.size();
    if (size.width === 0 || size.height === 0) return;
    this.touched = false;
    this.seen = fitted(this.content(), size);
    this.settle();
  }

  // Moves as little as needed to see a point.
  see(p: { x: number; y: number }): void {
    const { width, height } = this.size();
    const { x, y, k } = this.seen;
    const room = Math.min(60 / k, width / k / 4, height / k / 4);
    const by = (at: number, from: number, long: number): number =>
      at < from + room ? at - from - room : at > from + long - room ? at - from - long + room : 0;
    const [dx, dy] = [by(p.x, x, width / k), by(p.y, y, height / k)];
    if (dx === 0 && dy === 0) return;
    this.touched = true;
    this.seen = { x: x + dx, y: y + dy, k };
    this.settle();
  }

  end(): void {
    clearTimeout(this.timer);
    cancelAnimationFrame(this.frame);
    this.observer.disconnect();
    for (const end of this.ends) end();
  }
}
