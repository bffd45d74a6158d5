// Two traces side by side: actions that both can see and both do stand in one row.
//
// They agree on the alphabet that was too small; where one does a shared action and the other does not, they do not fit
// together. Matched is as much as possible (longest common subsequence of shared actions).
export interface Line {
  ours?: number;
  theirs?: number;
  together: boolean; // one action of both
  odd: boolean; // shared, and only one of them does it here
}

const kMost = 400; // steps of each that are compared; the rest stands as it is

export function sideBySide(ours: readonly number[], theirs: readonly number[], shared: ReadonlySet<number>): Line[] {
  const [n, m] = [Math.min(ours.length, kMost), Math.min(theirs.length, kMost)];
  // best[i][j]: so many shared actions can be matched from here on
  const best: Uint16Array[] = Array.from({ length: n + 1 }, () => new Uint16Array(m + 1));
  for (let i = n - 1; i >= 0; --i)
    for (let j = m - 1; j >= 0; --j) {
      const match = ours[i] === theirs[j] && shared.has(ours[i]!) ? best[i + 1]![j + 1]! + 1 : 0;
      best[i]![j] = Math.max(match, best[i + 1]![j]!, best[i]![j + 1]!);
    }
  const lines: Line[] = [];
  let left: number[] = [];
  let right: number[] = [];
  // What is between two matches stands side by side, each in its own order.
  const flush = (): void => {
    for (let k = 0; k < Math.max(left.length, right.length); ++k) {
      const line: Line = { together: false, odd: false };
      if (k < left.length) line.ours = left[k]!;
      if (k < right.length) line.theirs = right[k]!;
      line.odd = (line.ours !== undefined && shared.has(line.ours)) || (line.theirs !== undefined && shared.has(line.theirs));
      lines.push(line);
    }
    left = [];
    right = [];
  };
  let [i, j] = [0, 0];
  while (i < n && j < m) {
    if (ours[i] === theirs[j] && shared.has(ours[i]!) && best[i]![j] === best[i + 1]![j + 1]! + 1) {
      flush();
      lines.push({ ours: ours[i]!, theirs: theirs[j]!, together: true, odd: false });
      ++i;
      ++j;
    } else if (best[i + 1]![j]! >= best[i]![j + 1]!) left.push(ours[i++]!);
    else right.push(theirs[j++]!);
  }
  left.push(...ours.slice(i));
  right.push(...theirs.slice(j));
  flush();
  return lines;
}
