// The sequence chart, as the table that it is: a column for each lane, a row for each step, and what changed at its end.
import type { RefObject } from "preact";
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { breakable } from "../breakable";
import { LongTable } from "../draw/long-table";
import { textWidth } from "../draw/measure";
import { inCycle, laneWidth, rowOfMoment } from "./chart";
import type { ChartRow, InCycle, LaneOf } from "./chart";
import { labelOf, sayChange, sayStatement, wrong } from "./steps";
import type { WalkStep } from "./steps";

export const kChartRow = 30; // px
const kNumber = 52; // px of the column of numbers
const kChanges = 190; // px that what changed should have
const kLeast = 150; // px that it has at least
const kScrollBar = 16; // px

const momentOf = (row: ChartRow): number => (row.kind === "start" ? 0 : row.kind === "fold" ? row.from : row.step.n);

interface Props {
  title: string;
  rows: readonly ChartRow[];
  lanes: readonly LaneOf[];
  at: number;
  end: number; // the last moment
  cycleFrom?: number;
  showLanes: boolean;
  showChanges: boolean;
  onMoment: (at: number) => void;
  need?: (from: number, to: number) => void; // these moments are to be seen
  onFold: (from: number) => void;
}

const kBracket: Record<InCycle, string> = { no: "", first: "cycle first", inside: "cycle", last: "cycle last", only: "cycle first last" };

type StepRow = Extract<ChartRow, { kind: "step" }>;

// `whole`: what is wrong is said at the bar, because no column beside it does.
function Dots({ row, lanes, lane, whole }: { row: StepRow; lanes: readonly LaneOf[]; lane: number; whole: boolean }) {
  const takes = row.lanes.includes(lane);
  const within = row.first >= 0 && lane >= row.first && lane <= row.last && row.first !== row.last;
  const part = lane === row.first ? "from" : lane === row.last ? "to" : "through";
  return (
    <>
      {within && <i class={`bar-line ${part}`} />}
      {takes && (
        <i class="dot">
          <span class="unseen">{lanes[lane]!.property ? "sees it" : "takes part"}</span>
        </i>
      )}
      {lane === row.first && <BarLabel row={row} lanes={lanes.length} whole={whole} />}
    </>
  );
}

function BarLabel({ row, lanes, whole }: { row: StepRow; lanes: number; whole: boolean }) {
  const { step, first, last } = row;
  const trouble = wrong(step);
  return (
    <span
      class={first === last ? (last + 1 < lanes ? "bar-label beside" : "bar-label beside last") : "bar-label"}
      title={step.action}
      ref={(e) => e?.style.setProperty("--span", String(Math.max(0, last - first)))}
    >
      {step.n} {labelOf(step)}
      {trouble !== undefined && <em> ✗ {whole && trouble}</em>}
    </span>
  );
}

function Told({ step }: { step: WalkStep }) {
  const trouble = wrong(step);
  const statements = step.statements.map(sayStatement);
  const all = [trouble, ...statements, ...step.changes.map(sayChange)];
  return (
    <td class="told" title={all.filter((t) => t !== undefined).join("\n")}>
      {trouble !== undefined && <strong class="violated">{trouble} </strong>}
      {statements.join("; ")}
      {step.changes.map((c, i) => (
        <span key={c.name}>
          {i + statements.length > 0 && "; "}
          <b>{c.name}</b>
          {sayChange(c).slice(c.name.length)}
        </span>
      ))}
    </td>
  );
}

interface RowProps {
  lanes: readonly LaneOf[]; // none: they are not shown
  showLanes: boolean;
  showChanges: boolean;
}

function Lifelines({ lanes }: { lanes: readonly LaneOf[] }) {
  return (
    <>
      {lanes.map((l, i) => (
        <Lifeline key={l.name} lane={i} />
      ))}
    </>
  );
}

function StartCells({ lanes, showLanes, showChanges }: RowProps) {
  return (
    <>
      <td colSpan={Math.max(1, lanes.length)} class="start-row dim">
        {showLanes ? "" : "the beginning"}
        <Lifelines lanes={lanes} />
      </td>
      {showChanges && <td class="told dim">{showLanes ? "the beginning" : ""}</td>}
    </>
  );
}

type FoldRow = Extract<ChartRow, { kind: "fold" }>;

function FoldCells({ row, lanes, showChanges, onFold }: RowProps & { row: FoldRow; onFold: (from: number) => void }) {
  return (
    <>
      <td colSpan={Math.max(1, lanes.length)} class="fold">
        <Lifelines lanes={lanes} />
        <button
          class="plain"
          aria-expanded={row.open}
          onClick={(e) => {
            e.stopPropagation();
            onFold(row.from);
          }}
        >
          ⋯ {row.to - row.from + 1} {row.to === row.from ? "step" : "steps"} of others
        </button>
      </td>
      {showChanges && <td class="told" />}
    </>
  );
}

function StepCells({ row, lanes, showLanes, showChanges }: RowProps & { row: StepRow }) {
  const elsewhere = showLanes && row.first < 0;
  return (
    <>
      {!showLanes && <td class="mono action-cell">{labelOf(row.step)}</td>}
      {elsewhere && (
        <td colSpan={Math.max(1, lanes.length)} class="elsewhere">
          <Lifelines lanes={lanes} />
          <span class="elsewhere-label">
            {row.step.n} {labelOf(row.step)} <span class="dim">{row.step.who.join(", ")}</span>
          </span>
        </td>
      )}
      {!elsewhere &&
        lanes.map((l, i) => (
          <td key={l.name} class={l.property ? "lane property" : "lane"}>
            <Dots row={row} lanes={lanes} lane={i} whole={!showChanges} />
          </td>
        ))}
      {showChanges && <Told step={row.step} />}
    </>
  );
}

function Heads({ lanes, showLanes, showChanges }: RowProps) {
  return (
    <>
      <th scope="col" class="step-number">
        <span class="unseen">step</span>
      </th>
      {!showLanes && <th scope="col">action</th>}
      {lanes.map((l) => (
        <th scope="col" key={l.name} class={l.property ? "lane property" : "lane"} title={l.name}>
          <span>{breakable(l.name)}</span>
        </th>
      ))}
      {showLanes && lanes.length === 0 && <th scope="col" />}
      {showChanges && (
        <th scope="col" class="told">
          what changed
        </th>
      )}
    </>
  );
}

export function ChartTable(props: Props) {
  const { title, rows, at, end, cycleFrom, showLanes, showChanges, onMoment, need, onFold } = props;
  const lanes = useMemo(() => (showLanes ? props.lanes : []), [showLanes, props.lanes]);
  const box = useRef<HTMLDivElement>(null);
  const inner = useWidth(box) - kNumber;
  const room = inner - kScrollBar - (showChanges ? kChanges : 0);
  const width = useMemo(() => laneWidth(rows, lanes.map((l) => l.name), textWidth, room), [rows, lanes, room]);
  useLayoutEffect(() => {
    box.current?.style.setProperty("--lane", `${width}px`);
    box.current?.style.setProperty("--lanes", String(lanes.length));
    // Beside all lanes it has what is left: columns that are all of one width would be stretched, and lines no more meet.
    const isRoom = inner - lanes.length * width >= kLeast;
    box.current?.style.setProperty("--told", isRoom ? "auto" : `${kLeast}px`);
  }, [width, inner, lanes]);
  const current = useMemo(() => rowOfMoment(rows, at), [rows, at]);
  const needRows = useCallback(
    (first: number, last: number) => {
      const [from, to] = [rows[first], rows[last - 1]];
      if (from !== undefined && to !== undefined) need?.(momentOf(from), momentOf(to));
    },
    [rows, need],
  );
  const shown: RowProps = { lanes, showLanes, showChanges };

  const cells = (row: ChartRow, index: number) => {
    const bracket = inCycle(row, cycleFrom, end);
    const begins = bracket === "first" || bracket === "only";
    return (
      <>
        <th scope="row" class={`step-number ${kBracket[bracket]}`}>
          <button class="plain" tabIndex={index === current ? 0 : -1} aria-label={sayRow(row)} onClick={() => onMoment(momentOf(row))}>
            {row.kind === "start" ? "0" : row.kind === "fold" ? "⋯" : row.step.n}
            {begins && <span title="from here on it repeats"> ↻</span>}
          </button>
        </th>
        {row.kind === "start" && <StartCells {...shown} />}
        {row.kind === "fold" && <FoldCells row={row} {...shown} onFold={onFold} />}
        {row.kind === "step" && <StepCells row={row} {...shown} />}
      </>
    );
  };

  return (
    <div class="chart" ref={box}>
      <LongTable
        label={`${title}, ${end} steps`}
        class={showLanes ? "chart-table" : "chart-table no-lanes"}
        columns={1 + (showLanes ? lanes.length : 1) + (showChanges ? 1 : 0)}
        height={kChartRow}
        rows={rows.length}
        need={needRows}
        at={current}
        onRow={(i) => onMoment(momentOf(rows[i]!))}
        head={<Heads {...shown} />}
        row={(i) => {
          const row = rows[i]!;
          const here = i === current;
          const bad = row.kind === "step" && wrong(row.step) !== undefined;
          return { cells: cells(row, i), current: here, class: `${here ? "at" : ""}${bad ? " wrong" : ""}` };
        }}
      />
    </div>
  );
}

// A lane's line where the cells of a row are one.
function Lifeline({ lane }: { lane: number }) {
  return <i class="lifeline" ref={(e) => e?.style.setProperty("--at", String(lane))} />;
}

function useWidth(box: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(700);
  useLayoutEffect(() => {
    const e = box.current!;
    const look = (): void => setWidth(e.clientWidth);
    const observer = new ResizeObserver(look);
    observer.observe(e);
    look();
    return () => observer.disconnect();
  }, [box]);
  return width;
}

function sayRow(row: ChartRow): string {
  if (row.kind === "start") return "to the beginning";
  if (row.kind === "fold") return `to step ${row.from}`;
  return `step ${row.step.n}: ${labelOf(row.step)}`;
}
