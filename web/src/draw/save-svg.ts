// An SVG file of a drawing: the same elements with their colours written down, light as paper is.
import type { Rect } from "./view";

const kKept = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-weight", "paint-order", "stroke-linejoin"] as const;

export function svgText(svg: SVGSVGElement, bounds: Rect): string {
  const root = document.documentElement;
  const scheme = root.dataset["scheme"];
  root.dataset["scheme"] = "light";
  const wasFar = svg.classList.contains("far");
  svg.classList.remove("far", "very-far");
  const copy = svg.cloneNode(true) as SVGSVGElement;
  copy.querySelector(".above")?.remove();
  copy.querySelectorAll(".hit").forEach((e) => e.remove());
  const originals = svg.querySelectorAll<SVGElement>("path:not(.hit), circle, rect, text");
  const here = [...originals].filter((e) => e.closest(".above") === null);
  const copies = copy.querySelectorAll<SVGElement>("path, circle, rect, text");
  here.forEach((original, i) => {
    const style = getComputedStyle(original);
    for (const name of kKept) {
      const value = style.getPropertyValue(name);
      if (value !== "" && value !== "none" && value !== "normal") copies[i]!.setAttribute(name, value);
      else if (name === "fill") copies[i]!.setAttribute(name, "none");
    }
  });
  if (wasFar) svg.classList.add("far");
  if (scheme === undefined) delete root.dataset["scheme"];
  else root.dataset["scheme"] = scheme;
  for (const e of copy.querySelectorAll("[tabindex]")) e.removeAttribute("tabindex");
  copy.removeAttribute("class");
  copy.removeAttribute("style");
  const margin = 20;
  const { x, y, width, height } = bounds;
  const f = (n: number): string => n.toFixed(1);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("viewBox", [x - margin, y - margin, width + 2 * margin, height + 2 * margin].map(f).join(" "));
  copy.setAttribute("width", f(width + 2 * margin));
  copy.setAttribute("height", f(height + 2 * margin));
  copy.setAttribute("font-family", "sans-serif");
  copy.setAttribute("font-size", "11");
  copy.setAttribute("text-anchor", "middle");
  for (const text of copy.querySelectorAll("text")) text.setAttribute("dominant-baseline", "central");
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}\n`;
}
