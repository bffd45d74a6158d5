// Which commands the palette shows for some words.
interface Titled {
  title: string;
}

// The commands whose titles have all the words; those that begin with them first.
export function matching<T extends Titled>(commands: T[], words: string): T[] {
  const wanted = words.toLowerCase().split(/\s+/).filter((w) => w !== "");
  const fits = commands.filter((c) => {
    const title = c.title.toLowerCase();
    return wanted.every((w) => title.includes(w));
  });
  const first = wanted[0];
  if (first === undefined) return fits;
  const starts = (c: T) => {
    const parts = c.title.toLowerCase().split(/[\s/:_.]+/);
    return parts[0]!.startsWith(first) ? 0 : parts.some((w) => w.startsWith(first)) ? 1 : 2;
  };
  return fits.map((c, i) => ({ c, i })).sort((a, b) => starts(a.c) - starts(b.c) || a.i - b.i).map((x) => x.c);
}
