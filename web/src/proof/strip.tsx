// The strip: all steps of a proof in a row, in chapters; a row for each assumption or component. Below each number is the
// oracle that decided about it: one amber bar for the first, two violet ones for the second.
//
// It is one list box: one stop of the Tab key, with the cell of the cursor as its active descendant. Rows of thousands of
// cells are folded, but for the beginning, the end, and what is around the cursor.
import { useEffect, useRef } from "preact/hooks";
import type { Cell, Group, Track } from "./track";
import { plural } from "../format";

const kAll = 300; // cells of a group that is not folded
const kEnds = 12;
const kAround = 60;

export type Piece = { cell: Cell } | { fold: number; to: number }; // so many cells are not shown; a click goes to `to`

export function folded(cells: readonly Cell[], at: number): Piece[] {
  if (cells.length <= kAll) return cells.map((cell) => ({ cell }));
  const here = cells.findIndex((c) => c.index >= at);
  const near = here < 0 ? cells.length - 1 : here;
  const pieces: Piece[] = [];
  let hidden: Cell[] = [];
  const flush = (): void => {
    if (hidden.length > 0) pieces.push({ fold: hidden.length, to: hidden[hidden.length >> 1]!.index });
    hidden = [];
  };
  cells.forEach((cell, i) => {
    if (i >= kEnds && i < cells.length - kEnds && Math.abs(i - near) > kAround) {
      hidden.push(cell);
      return;
    }
    flush();
    pieces.push({ cell });
  });
  flush();
  return pieces;
}

const kSign = { holds: "✓", violated: "✗" } as const;

function CellOf({ cell, at }: { cell: Cell; at: number }) {
  return (
    <>
      {cell.skipped > 0 && (
        <span class="strip-gap" aria-hidden="true" title={`${plural(cell.skipped, "step")} before this one were not told`}>
          ⋯
        </span>
      )}
      <span
        role="option"
        id={`step-${cell.index}`}
        class={`strip-cell oracle-${cell.oracle}${cell.end ? ` ends-${cell.end}` : ""}`}
        aria-selected={cell.index === at}
        aria-label={`${cell.title}${cell.skipped > 0 ? `; ${plural(cell.skipped, "step")} before it were not told` : ""}`}
        title={cell.title}
        data-step={cell.index}
      >
        {cell.text}
        {cell.end && <b aria-hidden="true">{kSign[cell.end]}</b>}
      </span>
    </>
  );
}

function GroupOf({ group, at }: { group: Group; at: number }) {
  return (
    <span role="group" class="strip-group" aria-label={group.label}>
      {group.head !== undefined && (
        <span class="strip-head" aria-hidden="true">
          {group.head}
        </span>
      )}
      {folded(group.cells, at).map((piece) =>
        "cell" in piece ? (
          <CellOf key={piece.cell.index} cell={piece.cell} at={at} />
        ) : (
          <span class="strip-fold" aria-hidden="true" data-step={piece.to} title={`${piece.fold} more`}>
            ⋯ {piece.fold}
          </span>
        ),
      )}
    </span>
  );
}

export function Strip({ track, at, label, onPick }: { track: Track; at: number; label: string; onPick: (index: number) => void }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const cell = box.current?.querySelector(`#step-${at}`);
    if (!(cell instanceof HTMLElement) || box.current === null) return;
    // Only the strip scrolls, not the page.
    const [outer, inner] = [box.current.getBoundingClientRect(), cell.getBoundingClientRect()];
    if (inner.top < outer.top) box.current.scrollTop += inner.top - outer.top - 4;
    if (inner.bottom > outer.bottom) box.current.scrollTop += inner.bottom - outer.bottom + 4;
  }, [at]);
  const pick = (e: MouseEvent): void => {
    const step = e.target instanceof Element ? e.target.closest("[data-step]")?.getAttribute("data-step") : undefined;
    if (step != null) onPick(Number(step));
  };
  return (
    <div
      ref={box}
      class="strip"
      role="listbox"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={track.length > 0 ? `step-${at}` : undefined}
      onClick={pick}
    >
      {track.rows.map((row) => (
        <div key={row.name} class="strip-row" role="presentation">
          {row.name !== "" && (
            <span class="strip-name" aria-hidden="true" title={row.about}>
              {row.name}
            </span>
          )}
          <span class="strip-cells" role="presentation">
            {row.groups.map((group, i) => (
              <GroupOf key={i} group={{ ...group, label: row.name === "" ? group.label : `${row.name}: ${group.label}` }} at={at} />
            ))}
          </span>
        </div>
      ))}
    </div>
  );
}
