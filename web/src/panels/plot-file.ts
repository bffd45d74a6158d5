// A plot as an SVG file, with its legend: black on white, told apart by marks and strokes.
import { linePath, markPath } from "./plots";
import type { Plot } from "./plots";

const kColours = ["#1a56c4", "#b23a00", "#6a3aa6", "#7a5200", "#1a1c21"];
const kDashes = ["", "6 3", "2 3", "8 3 2 3", "12 3"];

const plain = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

export function plotFile(plot: Plot, xTitle: string, yTitle: string): string {
  const { left, right, top, bottom } = plot;
  const n = (v: number) => +v.toFixed(2);
  const height = plot.height + 18 * plot.series.length + 8;
  const out = [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 -16 ${plot.width} ${height + 16}" width="${plot.width}" height="${height + 16}" font-family="sans-serif" font-size="11">`,
    `<rect y="-16" width="${plot.width}" height="${height + 16}" fill="#ffffff"/>`,
    `<text x="4" y="-3">${plain(yTitle)}</text>`,
  ];
  for (const t of plot.yTicks) {
    out.push(`<path d="M${left} ${n(t.at)}H${right}" stroke="#d5d9e1"/>`);
    out.push(`<text x="${left - 6}" y="${n(t.at)}" text-anchor="end" dominant-baseline="central">${plain(t.label)}</text>`);
  }
  for (const t of plot.xTicks) {
    out.push(`<path d="M${n(t.at)} ${bottom}v4" stroke="#1a1c21"/>`);
    out.push(`<text x="${n(t.at)}" y="${bottom + 16}" text-anchor="middle">${plain(t.label)}</text>`);
  }
  out.push(`<path d="M${left} ${top}V${bottom}H${right}" fill="none" stroke="#1a1c21"/>`);
  out.push(`<text x="${(left + right) / 2}" y="${bottom + 32}" text-anchor="middle">${plain(xTitle)}</text>`);
  plot.series.forEach((s, i) => {
    const colour = kColours[s.shape % 5]!;
    const dash = kDashes[s.shape % 5]!;
    const stroke = `stroke="${colour}"${dash === "" ? "" : ` stroke-dasharray="${dash}"`}`;
    out.push(`<path d="${linePath(s.marks)}" fill="none" stroke-width="1.5" ${stroke}/>`);
    for (const m of s.marks)
      out.push(`<path d="${markPath(s.shape, m.x, m.y)}" fill="${m.point.verdict === "unknown" ? "#ffffff" : colour}" stroke="${colour}"/>`);
    const y = plot.height + 18 * i + 8;
    out.push(`<path d="${markPath(s.shape, left + 8, y)}" fill="${colour}"/>`);
    out.push(`<text x="${left + 20}" y="${y}" dominant-baseline="central">${plain(s.name || yTitle)}</text>`);
  });
  out.push("</svg>");
  return out.join("\n") + "\n";
}
