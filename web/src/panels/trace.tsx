// Trace: the shown walk as a sequence chart beside the table of its steps. Its cursor is the one cursor of the page.
import { useEffect, useMemo } from "preact/hooks";
import { fork, showMoment } from "../actions";
import { useKept, useKeptHere } from "../draw/kept";
import { Unfold } from "../draw/unfold";
import { saveText } from "../hand-out";
import { useStore, walkOf } from "../store";
import type { Walk } from "../store";
import { chartRows, lanesOf, usedLanes } from "../trace/chart";
import type { LaneOf } from "../trace/chart";
import { ChartTable } from "../trace/chart-table";
import { fill } from "../trace/fill";
import { MomentCard } from "../trace/moment-card";
import { backward, kSpeeds, onward, traceKey, usePlaying } from "../trace/player";
import { stepsOf } from "../trace/steps";
import type { WalkStep } from "../trace/steps";
import { WalkTabs } from "../trace/walk-tabs";

const kMostLanes = 10; // shown at first
const need = (from: number, to: number): void => void fill(from - 1, to);
const kNoFolds: ReadonlySet<number> = new Set();
type Form = "both" | "chart" | "table";

// A file that `surety simulate --trace FILE` follows.
function save(walk: Walk, steps: readonly WalkStep[]): void {
  const names = steps.map((s) => s.action);
  const from = walk.cycleFrom ?? names.length;
  const { result } = walk;
  const file = {
    schema: 1,
    ...(walk.origin === "trace" && result ? { kind: result.kind, ...(result.property ? { property: result.property } : {}) } : {}),
    trace: names.slice(0, from),
    cycle: names.slice(from),
    ...(walk.origin === "trace" && result?.steps ? { steps: result.steps } : {}),
  };
  saveText(JSON.stringify(file, null, 2) + "\n", `${walk.title.replace(/[^\w.-]+/g, "_")}.trace.json`, "application/json");
}

function Lanes({ lanes, hidden, set }: { lanes: readonly LaneOf[]; hidden: ReadonlySet<string>; set: (h: ReadonlySet<string>) => void }) {
  const tick = (name: string, on: boolean): void => {
    const next = new Set(hidden);
    if (on) next.delete(name);
    else next.add(name);
    set(next);
  };
  const shown = lanes.filter((l) => !hidden.has(l.name)).length;
  return (
    <Unfold title={`${shown} of ${lanes.length} lanes`}>
      {lanes.map((l) => (
        <label key={l.name}>
          <input type="checkbox" checked={!hidden.has(l.name)} onChange={(e) => tick(l.name, e.currentTarget.checked)} /> {l.name}
          {l.property && " (property)"}
        </label>
      ))}
    </Unfold>
  );
}

export function Trace() {
  const walk = useStore(walkOf);
  const tracing = useStore((s) => s.tracing);
  return (
    <div class="trace-panel">
      <WalkTabs />
      {tracing !== undefined ? (
        <p class="empty" role="status" data-busy="">
          The trace of {tracing} is being followed …
        </p>
      ) : walk === undefined ? (
        <p class="empty">
          No trace is shown. A check that is violated has one: its button <b>trace</b>. A way of your own begins in Animate.
        </p>
      ) : (
        <Shown walk={walk} />
      )}
    </div>
  );
}

function Shown({ walk }: { walk: Walk }) {
  const system = useStore((s) => s.model?.system);
  const [form, setForm] = useKept<Form>("trace form", "both");
  const [only, setOnly] = useKeptHere(`trace only ${walk.serial}`, "");
  const [open, setOpen] = useKeptHere(`trace folds ${walk.serial}`, kNoFolds);
  const { playing, play, speed, setSpeed } = usePlaying();
  const steps = useMemo(() => stepsOf(walk, system), [walk.moments, walk.result, system]);
  const all = useMemo(() => lanesOf(walk, steps, system), [steps, system]);
  const [hiddenKept, setHidden] = useKeptHere<ReadonlySet<string> | undefined>(`trace lanes ${walk.serial}`, undefined);
  const hidden = useMemo(() => {
    if (hiddenKept !== undefined) return hiddenKept;
    const used = usedLanes(all, steps);
    // A deadlock or a cycle is none of the properties' concern.
    const properties = walk.result !== undefined && walk.result.kind !== "safety" ? [] : used.filter((l) => l.property);
    const first = new Set([...used.filter((l) => !l.property).slice(0, kMostLanes), ...properties].map((l) => l.name));
    return new Set(all.filter((l) => !first.has(l.name)).map((l) => l.name));
  }, [hiddenKept, all, steps]);
  const lanes = useMemo(() => all.filter((l) => !hidden.has(l.name)), [all, hidden]);
  const rows = useMemo(
    () =>
      chartRows(steps, {
        lanes: lanes.map((l) => l.name),
        open,
        cycleFrom: walk.cycleFrom,
        ...(only === "" ? {} : { only }),
      }),
    [steps, lanes, open, only, walk.cycleFrom],
  );
  const end = walk.moments.length - 1;
  useEffect(() => void fill(walk.at - 1, walk.at), [walk.at, walk.serial]);
  const toggle = (from: number): void => {
    const next = new Set(open);
    if (next.has(from)) next.delete(from);
    else next.add(from);
    setOpen(next);
  };
  return (
    <div class="trace-shown" data-keys tabIndex={-1} onKeyDown={(e) => traceKey(e, playing, play)}>
      <div class="bar machine-bar">
        {/* At an end buttons do nothing, but keep the focus: keys are heard there. */}
        <div class="bar" role="group" aria-label="along the trace">
          <button aria-label="to the beginning" title="to the beginning (Home)" aria-disabled={walk.at === 0} onClick={() => showMoment(0)}>
            |◀
          </button>
          <button aria-label="back" title="back (←)" aria-disabled={walk.at === 0} onClick={backward}>
            ◀
          </button>
          <button aria-label={playing ? "stop" : "play"} title="play (Space)" aria-pressed={playing} onClick={() => play(!playing)}>
            {playing ? "‖" : "▷"}
          </button>
          <button aria-label="forward" title="forward (→)" aria-disabled={walk.at === end && walk.cycleFrom === undefined} onClick={() => onward(true)}>
            ▶
          </button>
          <button aria-label="to the end" title="to the end (End)" aria-disabled={walk.at === end} onClick={() => showMoment(end)}>
            ▶|
          </button>
          <select aria-label="speed" value={String(speed)} onChange={(e) => setSpeed(Number(e.currentTarget.value))}>
            {kSpeeds.map((s) => (
              <option key={s} value={s}>
                ×{s}
              </option>
            ))}
          </select>
        </div>
        <span class="number" role="status">
          {walk.at} of {end}
        </span>
        <select aria-label="form" value={form} onChange={(e) => setForm(e.currentTarget.value as Form)}>
          <option value="both">chart and table</option>
          <option value="chart">chart</option>
          <option value="table">table</option>
        </select>
        <select aria-label="projection" value={only} onChange={(e) => setOnly(e.currentTarget.value)}>
          <option value="">all steps</option>
          {all.map((l) => (
            <option key={l.name} value={l.name}>
              what {l.name} sees
            </option>
          ))}
        </select>
        {form !== "table" && <Lanes lanes={all} hidden={hidden} set={setHidden} />}
        <button title="another way from here; this one stays (F)" onClick={fork}>
          fork here
        </button>
        <button onClick={() => save(walk, steps)}>save</button>
      </div>
      <ChartTable
        title={walk.title}
        rows={rows}
        lanes={lanes}
        at={walk.at}
        end={end}
        cycleFrom={walk.cycleFrom}
        showLanes={form !== "table"}
        showChanges={form !== "chart"}
        onMoment={showMoment}
        need={need}
        onFold={toggle}
      />
      <MomentCard walk={walk} step={steps[walk.at - 1]} />
    </div>
  );
}
