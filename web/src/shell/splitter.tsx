// A bar between two parts of the window: dragged, or moved by the arrow keys. Sizes are kept for the next time.
import { useRef } from "preact/hooks";

const kKey = "surety-sizes";

interface Part {
  variable: string; // of CSS, in pixels
  least: number;
  most: () => number;
  start: () => number;
}

export const kParts = {
  side: { variable: "--side", least: 120, most: () => 420, start: () => 208 },
  right: { variable: "--right", least: 320, most: () => innerWidth - 420, start: () => Math.round(innerWidth * 0.5) },
  checks: { variable: "--checks", least: 80, most: () => innerHeight - 240, start: () => Math.round(innerHeight * 0.32) },
} satisfies Record<string, Part>;
type PartName = keyof typeof kParts;

let sizes: Partial<Record<PartName, number>> = {};

function set(name: PartName, size: number): void {
  const part: Part = kParts[name];
  const fit = Math.round(Math.max(part.least, Math.min(size, part.most())));
  sizes[name] = fit;
  document.documentElement.style.setProperty(part.variable, `${fit}px`);
}

export function takeSizes(): void {
  try {
    sizes = JSON.parse(localStorage.getItem(kKey) ?? "{}");
  } catch {
    sizes = {};
  }
  for (const name of Object.keys(kParts) as PartName[]) {
    const kept = sizes[name];
    if (typeof kept === "number") set(name, kept);
  }
}

// `grows`: which way makes the part larger.
export function Splitter({ part, grows, label }: { part: PartName; grows: "right" | "left" | "down"; label: string }) {
  const from = useRef<{ at: number; size: number } | undefined>(undefined);
  const isRow = grows === "down";
  const sign = grows === "left" ? -1 : 1;
  const now = () => sizes[part] ?? kParts[part].start();
  const keep = () => localStorage.setItem(kKey, JSON.stringify(sizes));
  return (
    <div
      class={isRow ? "splitter row" : "splitter"}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={isRow ? "horizontal" : "vertical"}
      aria-valuenow={now()}
      aria-valuemin={kParts[part].least}
      aria-valuemax={kParts[part].most()}
      onPointerDown={(e) => {
        e.currentTarget.setPointerCapture(e.pointerId);
        from.current = { at: isRow ? e.clientY : e.clientX, size: now() };
      }}
      onPointerMove={(e) => {
        if (from.current === undefined) return;
        set(part, from.current.size + sign * ((isRow ? e.clientY : e.clientX) - from.current.at));
      }}
      onPointerUp={() => {
        from.current = undefined;
        keep();
      }}
      onDblClick={() => {
        set(part, kParts[part].start());
        keep();
      }}
      onKeyDown={(e) => {
        const way = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[e.key];
        if (way === undefined || isRow !== (e.key === "ArrowUp" || e.key === "ArrowDown")) return;
        e.preventDefault();
        set(part, now() + sign * way * 24);
        keep();
      }}
    />
  );
}
