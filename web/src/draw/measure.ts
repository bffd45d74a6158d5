// How wide a text will be. The font is said here and in draw.css.
import type { Size } from "./dot";

export const kFont = "11px system-ui, -apple-system, \"Segoe UI\", \"DejaVu Sans\", Roboto, sans-serif";
export const kLine = 13; // from one line to the next

let context: CanvasRenderingContext2D | null | undefined;
const known = new Map<string, number>();

export function textWidth(text: string): number {
  let width = known.get(text);
  if (width !== undefined) return width;
  if (context === undefined) {
    context = typeof document === "undefined" ? null : document.createElement("canvas").getContext("2d");
    if (context) context.font = kFont;
  }
  width = context ? context.measureText(text).width : text.length * 6.2;
  if (known.size > 20_000) known.clear();
  known.set(text, width);
  return width;
}

export function linesSize(lines: readonly string[]): Size {
  return { w: Math.max(...lines.map(textWidth)) + 6, h: lines.length * kLine + 2 };
}
