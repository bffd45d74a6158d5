// A plot as numbers: where axes, ticks, lines and marks are. What draws it adds nothing.
import type { Measure, Point } from "./points";

export interface Mark {
  x: number; // on the picture
  y: number;
  point: Point;
}
export interface Series {
  name: string;
  shape: number; // which mark and line, 0...
  marks: Mark[];
}
export interface Tick {
  at: number; // on the picture
  label: string;
}
export interface Plot {
  width: number;
  height: number;
  left: number; // the area inside of the axes
  right: number;
  top: number;
  bottom: number;
  xTicks: Tick[];
  yTicks: Tick[];
  series: Series[];
}

export interface Asked {
  x: string; // a constant
  y: Measure;
  logX: boolean;
  logY: boolean;
  width: number;
  height: number;
}

const kLeft = 56;
const kRight = 16;
const kTop = 12;
const kBottom = 40;

const shortNumber = (n: number): string => {
  if (n !== 0 && Math.abs(n) < 0.001) return n.toExponential(0).replace("e-", "e−");
  if (Math.abs(n) >= 1e9) return `${+(n / 1e9).toPrecision(3)} G`;
  if (Math.abs(n) >= 1e6) return `${+(n / 1e6).toPrecision(3)} M`;
  if (Math.abs(n) >= 1e4) return `${+(n / 1e3).toPrecision(3)} k`;
  return String(+n.toPrecision(3));
};

// Powers of ten within the range; if these are few, 2 and 5 times them, too.
export function logTicks(low: number, high: number): number[] {
  const from = Math.floor(Math.log10(low) + 1e-9);
  const to = Math.ceil(Math.log10(high) - 1e-9);
  const steps = to - from <= 1 ? [1, 2, 5] : [1];
  const every = Math.max(1, Math.ceil((to - from) / 7));
  const out: number[] = [];
  for (let e = from; e <= to; e += every) for (const s of steps) out.push(s * 10 ** e);
  return out.filter((v) => v >= low * 0.999999 && v <= high * 1.000001);
}

// About five round numbers within the range.
export function linearTicks(low: number, high: number): number[] {
  if (high <= low) return [low];
  const rough = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((s) => s * power).find((s) => s >= rough * 0.999999)!;
  const out: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; ++i) out.push(+(i * step).toPrecision(12));
  return out;
}

interface Scale {
  at: (value: number) => number;
  ticks: number[];
}

function scale(values: number[], log: boolean, from: number, to: number): Scale {
  let low = Math.min(...values);
  let high = Math.max(...values);
  if (log) {
    low = 10 ** Math.floor(Math.log10(low) + 1e-9);
    high = 10 ** Math.ceil(Math.log10(high) - 1e-9);
    if (high <= low) high = low * 10;
    const [a, b] = [Math.log10(low), Math.log10(high)];
    return { at: (v) => from + ((Math.log10(v) - a) / (b - a)) * (to - from), ticks: logTicks(low, high) };
  }
  if (low > 0 && low < high * 0.5) low = 0;
  if (high <= low) [low, high] = [low - 1, high + 1];
  return { at: (v) => from + ((v - low) / (high - low)) * (to - from), ticks: linearTicks(low, high) };
}

// The constants along x are few whole numbers: each has a tick, if there is room.
function xScale(values: number[], log: boolean, from: number, to: number): Scale {
  const all = [...new Set(values)].sort((a, b) => a - b);
  const low = all[0]!;
  const high = all[all.length - 1]!;
  const isLog = log && low > 0;
  const f = (v: number) => (isLog ? Math.log10(v) : v);
  const span = f(high) - f(low);
  const at = (v: number) => (span === 0 ? (from + to) / 2 : from + 12 + ((f(v) - f(low)) / span) * (to - from - 24));
  const every = Math.ceil(all.length / 16);
  return { at, ticks: all.filter((_, i) => i % every === 0) };
}

function nameOf(p: Point, x: string, several: { methods: boolean; properties: boolean }): string {
  const others = Object.entries(p.define).filter(([name]) => name !== x);
  return [
    several.properties ? p.property : "",
    several.methods ? p.method : "",
    ...others.map(([name, value]) => `${name}=${value}`),
  ]
    .filter((t) => t !== "")
    .join(", ");
}

// Nothing, if no point has both numbers. What is 0 has no place on a logarithmic axis and is left out there.
export function plotOf(points: Point[], asked: Asked): Plot | undefined {
  const usable = points.filter((p) => {
    const x = p.define[asked.x];
    const y = p[asked.y];
    return typeof x === "number" && y !== undefined && (!asked.logY || y > 0);
  });
  if (usable.length === 0) return undefined;
  const several = {
    methods: new Set(usable.map((p) => p.method)).size > 1,
    properties: new Set(usable.map((p) => p.property)).size > 1,
  };
  const [left, right, top, bottom] = [kLeft, asked.width - kRight, kTop, asked.height - kBottom];
  const x = xScale(usable.map((p) => p.define[asked.x] as number), asked.logX, left, right);
  const y = scale(usable.map((p) => p[asked.y]!), asked.logY, bottom, top);
  const series = new Map<string, Mark[]>();
  for (const point of usable) {
    const name = nameOf(point, asked.x, several);
    const mark = { x: x.at(point.define[asked.x] as number), y: y.at(point[asked.y]!), point };
    series.set(name, [...(series.get(name) ?? []), mark]);
  }
  return {
    width: asked.width,
    height: asked.height,
    left,
    right,
    top,
    bottom,
    xTicks: x.ticks.map((v) => ({ at: x.at(v), label: shortNumber(v) })),
    yTicks: y.ticks.map((v) => ({ at: y.at(v), label: shortNumber(v) })),
    series: [...series].map(([name, marks], i) => ({ name, shape: i, marks: marks.sort((a, b) => a.x - b.x) })),
  };
}

// The outline of a mark around a point: series are told apart by shape before colour.
export function markPath(shape: number, x: number, y: number, r = 5): string {
  const n = (v: number) => +v.toFixed(2);
  switch (shape % 5) {
    case 0:
      return `M${n(x - r)} ${n(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
    case 1:
      return `M${n(x - r)} ${n(y - r)}h${2 * r}v${2 * r}h${-2 * r}z`;
    case 2:
      return `M${n(x)} ${n(y - r * 1.2)}l${n(r * 1.2)} ${n(r * 2.1)}h${n(-r * 2.4)}z`;
    case 3:
      return `M${n(x)} ${n(y - r * 1.3)}l${n(r * 1.3)} ${n(r * 1.3)}l${n(-r * 1.3)} ${n(r * 1.3)}l${n(-r * 1.3)} ${n(-r * 1.3)}z`;
    default:
      return `M${n(x)} ${n(y + r * 1.2)}l${n(r * 1.2)} ${n(-r * 2.1)}h${n(-r * 2.4)}z`;
  }
}

export const linePath = (marks: { x: number; y: number }[]): string =>
  marks.map((m, i) => `${i === 0 ? "M" : "L"}${+m.x.toFixed(2)} ${+m.y.toFixed(2)}`).join("");
