// Which rows of a long table are in the document: 200 around those that are seen. A table that would be higher than
// browsers can scroll is squeezed: its scroll bar then goes by shares of the rows.

export const kRow = 24; // px
export const kRows = 200;
const kHighest = 8_000_000; // px

export interface Window {
  first: number; // row
  end: number;
  above: number; // px of what is not in the document
  below: number;
}

export const heightOf = (rows: number, row = kRow): number => Math.min(rows * row, kHighest);

export function windowAt(rows: number, scrollTop: number, seen: number, row = kRow): Window {
  const height = heightOf(rows, row);
  const squeezed = rows * row > kHighest;
  const visible = Math.ceil(seen / row) + 1;
  const share = squeezed ? Math.min(1, scrollTop / Math.max(1, height - seen)) : 0;
  const top = squeezed ? Math.round(share * Math.max(0, rows - visible + 1)) : Math.floor(scrollTop / row);
  if (squeezed) {
    // Only what is seen, where it is seen.
    const first = Math.max(0, Math.min(top, rows - 1));
    const end = Math.min(rows, first + visible);
    const above = Math.min(scrollTop, height - (end - first) * row);
    return { first, end, above, below: Math.max(0, height - above - (end - first) * row) };
  }
  const margin = Math.max(0, Math.floor((kRows - visible) / 2));
  const first = Math.max(0, top - margin);
  const end = Math.min(rows, first + Math.max(kRows, visible));
  return { first, end, above: first * row, below: (rows - end) * row };
}

// Where to scroll so that a row is seen, if it is not seen yet.
export function scrollTo(rows: number, at: number, scrollTop: number, seen: number, row = kRow): number {
  if (rows * row > kHighest) return (at / rows) * heightOf(rows, row);
  if (at * row < scrollTop) return at * row;
  if ((at + 1) * row > scrollTop + seen) return (at + 1) * row - seen;
  return scrollTop;
}
