// Numbers as people read them: 12.4 M, 0.02 s, 512 MiB.

// Up to four digits as they are, above that in thousands and millions.
export function count(n: number): string {
  if (n < 10_000) return n.toLocaleString("en");
  const units = ["k", "M", "G", "T"];
  let value = n;
  let unit = -1;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    ++unit;
  }
  return `${value < 99.95 ? value.toFixed(1) : value.toFixed(0)} ${units[unit]}`;
}

export const plural = (n: number, one: string, many = `${one}s`): string => `${count(n)} ${n === 1 ? one : many}`;

export function seconds(s: number): string {
  if (s < 0.001) return "< 1 ms";
  if (s < 0.0995) return `${(s * 1000).toFixed(0)} ms`;
  if (s < 9.995) return `${s.toFixed(2)} s`;
  if (s < 99.95) return `${s.toFixed(1)} s`;
  return `${Math.floor(s / 60)} min ${Math.round(s % 60)} s`;
}

export function bytes(n: number): string {
  const units = ["B", "KiB", "MiB", "GiB"];
  let value = n;
  let unit = 0;
  while (value >= 1023.5 && unit < units.length - 1) {
    value /= 1024;
    ++unit;
  }
  return `${value < 9.95 && unit > 0 ? value.toFixed(1) : value.toFixed(0)} ${units[unit]}`;
}

// The name of a file without its folders.
export const lastName = (path: string): string => path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf(":")) + 1);

// The parts of a name between which a line may end: before a bracket, and after a dot or a line.
export const breaks = (name: string): string[] => name.split(/(?=[([])|(?<=[._])/);

// Why there is no answer: a limit has a name, everything else is said in words already.
const kLimits: Record<string, string> = { time: "out of time", memory: "out of memory", states: "too many states", queries: "too many queries" };
export const reached = (why: string): string => kLimits[why] ?? why;
export const stoppedBy = (why: string): string => (why in kLimits ? `stopped by ${why}` : why);
