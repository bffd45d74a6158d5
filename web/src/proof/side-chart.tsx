// The trace of one side as a sequence chart: who of the side takes part in which step. It need not be a trace of the whole,
// so that nothing of it is walked: what a step does follows from alphabets alone.
import { useMemo, useState } from "preact/hooks";
import type { Answer, Lane, Recording } from "../recording";
import { chartRows } from "../trace/chart";
import type { LaneOf } from "../trace/chart";
import { ChartTable } from "../trace/chart-table";
import type { WalkStep } from "../trace/steps";

// Whose trace an answer shows; nothing: the whole system's, or that of all assumptions together.
export function sideOf(method: string, answer: Answer, split: readonly string[][] | undefined): readonly string[] | undefined {
  if (split === undefined || answer.result === "violated" || answer.assumption === 0) return undefined;
  const { assumption, oracle } = answer;
  switch (method) {
    case "asym":
    case "weakest":
      return oracle === 1 ? split[0] : split.slice(1).flat();
    case "asym-n":
      return oracle === 1 ? split[assumption - 1] : split.slice(assumption).flat();
    case "agar":
      return split[0];
    case "sym":
    case "sym-a":
    case "sym-b":
    case "sym-2":
    case "sym-2a":
    case "sym-2b":
    case "circular":
      return oracle === 1 ? split[assumption - 1] : undefined;
    default:
      return undefined;
  }
}

export function stepsOfSide(
  recording: Recording,
  side: readonly string[] | undefined,
  trace: readonly number[],
  property: string | undefined,
): { lanes: LaneOf[]; steps: WalkStep[] } {
  const mine = recording.components.filter((c) => side === undefined || side.includes(c.name));
  const watching = recording.properties.filter((p) => p.name === property);
  const lanes = [...mine.map((c) => ({ name: c.name, property: false })), ...watching.map((p) => ({ name: p.name, property: true }))];
  const all = [...mine, ...watching];
  const steps = trace.map((action, i): WalkStep => ({
    n: i + 1,
    action: recording.names[action] ?? `#${action}`,
    who: all.filter((c) => c.alphabet.includes(action)).map((c) => c.name),
    violates: [],
    changes: [],
    statements: [],
    hidden: action === 0,
  }));
  const used = new Set(steps.flatMap((s) => s.who));
  return { lanes: lanes.filter((l) => used.has(l.name) || l.property), steps };
}

interface Props {
  recording: Recording;
  lane: Lane;
  answer: Answer;
  method: string;
  property: string | undefined;
}

const kNone: ReadonlySet<number> = new Set();

export function SideChart({ recording, lane, answer, method, property }: Props) {
  const [at, setAt] = useState(0);
  const { trace = [] } = answer;
  const side = sideOf(method, answer, lane.split);
  const { lanes, steps } = useMemo(() => stepsOfSide(recording, side, trace, property), [recording, side?.join(), trace, property]);
  const rows = useMemo(() => chartRows(steps, { lanes: lanes.map((l) => l.name), open: kNone }), [lanes, steps]);
  return (
    <div class="side-chart">
      <ChartTable
        title="trace of one side"
        rows={rows}
        lanes={lanes}
        at={at}
        end={steps.length}
        showLanes
        showChanges={false}
        onMoment={setAt}
        onFold={() => undefined}
      />
    </div>
  );
}
