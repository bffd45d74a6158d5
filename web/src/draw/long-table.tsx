// A table of any length, of which 200 rows are in the document.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { kRow, scrollTo, windowAt } from "./window";

interface Props {
  label: string;
  head: ComponentChildren; // cells
  columns: number;
  rows: number;
  row: (index: number) => { cells: ComponentChildren; class?: string; current?: boolean };
  at?: number; // this row is brought into sight when it changes
  need?: (first: number, end: number) => void; // these rows will be asked for
  onRow?: (index: number) => void;
  height?: number; // px of a row
  class?: string;
}

export function LongTable({ label, head, columns, rows, row, at, need, onRow, height = kRow, class: name = "" }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState({ top: 0, height: 600 });
  useLayoutEffect(() => {
    const e = box.current!;
    const look = (): void => setSeen({ top: e.scrollTop, height: e.clientHeight });
    let frame = 0;
    const soon = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(look);
    };
    const observer = new ResizeObserver(soon);
    observer.observe(e);
    e.addEventListener("scroll", soon, { passive: true });
    look();
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
      e.removeEventListener("scroll", soon);
    };
  }, []);
  useLayoutEffect(() => {
    const e = box.current!;
    // The head is sticky and covers what is under it.
    const head = e.querySelector("thead")!.clientHeight + 4;
    if (at !== undefined) e.scrollTop = scrollTo(rows, at, e.scrollTop, Math.max(height, e.clientHeight - head), height);
  }, [at, rows]);
  const { first, end, above, below } = windowAt(rows, seen.top, seen.height, height);
  useEffect(() => need?.(first, end), [first, end, need]);
  const shown = [];
  for (let i = first; i < end; ++i) {
    const made = row(i);
    shown.push(
      <tr
        key={i}
        aria-rowindex={i + 2}
        class={made.class}
        aria-current={made.current ? "step" : undefined}
        onClick={onRow && (() => onRow(i))}
      >
        {made.cells}
      </tr>,
    );
  }
  const space = (px: number) =>
    px > 0 && (
      <tr class="space" aria-hidden="true" ref={(e) => e?.style.setProperty("height", `${px}px`)}>
        <td colSpan={columns} />
      </tr>
    );
  return (
    <div class={`long-table ${name}`} ref={box} tabIndex={0} role="region" aria-label={label}>
      <table aria-rowcount={rows + 1} aria-label={label}>
        <thead>
          <tr aria-rowindex={1}>{head}</tr>
        </thead>
        <tbody>
          {space(above)}
          {shown}
          {space(below)}
        </tbody>
      </table>
    </div>
  );
}
