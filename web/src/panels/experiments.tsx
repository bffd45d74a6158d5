// Experiments: checks over ranges of constants, methods and properties, as a table and as a plot. A point opens its run.
import { useState } from "preact/hooks";
import { abort, failed, runJob } from "../actions";
import { changeable } from "../constants";
import { bytes, count, plural, seconds } from "../format";
import { openPoint } from "../runs";
import { saveText } from "../hand-out";
import { change, state, useStore } from "../store";
import type { Experiment } from "../store";
import type { Options } from "../types";
import { Plot } from "./plot";
import { plotFile } from "./plot-file";
import { plotOf } from "./plots";
import { csv, kMeasures, rangesOption, runsOf, takePoint, valuesOf, varied } from "./points";
import type { Measure, Point, PointEvent } from "./points";

const kMost = 1000; // runs, as the server has it

interface Form {
  ranges: Record<string, string>; // of the constants that vary
  methods: string[];
  properties: string[]; // names; none: all
}

function valueText(measure: Measure, value: number | undefined): string {
  if (value === undefined) return "";
  if (measure === "time") return seconds(value);
  return measure === "memory" ? bytes(value) : count(value);
}

const about = (p: Point): string =>
  [
    Object.entries(p.define).map(([k, v]) => `${k}=${v}`).join(" "),
    p.method,
    p.property,
    p.verdict,
    ...(["states", "time", "assumption"] as const).map((m) => (p[m] === undefined ? "" : `${valueText(m, p[m])}${m === "time" ? "" : m === "states" ? " states" : " states of A"}`)),
  ]
    .filter((t) => t !== "")
    .join(", ");

function Choices({ title, all, chosen, set }: { title: string; all: string[]; chosen: string[]; set: (chosen: string[]) => void }) {
  return (
    <fieldset>
      <legend>{title}</legend>
      <div class="bar">
        {all.map((name) => (
          <label key={name} class="choice">
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              onChange={(e) => set(e.currentTarget.checked ? [...chosen, name] : chosen.filter((n) => n !== name))}
            />
            {name}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

export function Experiments() {
  const doc = useStore((s) => s.doc?.path);
  const system = useStore((s) => s.model?.system);
  const methods = useStore((s) => s.hello?.methods);
  const rows = useStore((s) => s.rows);
  const experiment = useStore((s) => s.experiment);
  const time = useStore((s) => String(s.how.time ?? "60s"));
  const [form, setForm] = useState<Form>({ ranges: {}, methods: ["auto"], properties: [] });
  if (doc === undefined) return <p class="empty">Open a model; its checks can be run here for ranges of its constants, by several methods.</p>;

  const numeric = Object.entries(changeable(system)).filter((e): e is [string, number] => typeof e[1] === "number");
  const ranges = Object.entries(form.ranges).map(([name, text]) => ({ name, values: valuesOf(text) }));
  const wrong = ranges.find((r) => r.values === undefined);
  const runs = runsOf(ranges.map((r) => r.values ?? []), form.methods.length);
  const isRunning = experiment?.job !== undefined && state.jobs[experiment.job]?.state !== "done" && experiment.isRunning;
  const canRun = wrong === undefined && runs > 0 && runs <= kMost && !isRunning;

  const run = async () => {
    const options: Options = { methods: form.methods, time };
    const define = Object.fromEntries(ranges.map((r) => [r.name, r.values!]));
    for (const [name, value] of Object.entries(state.define)) define[name] ??= [value as number];
    if (Object.keys(define).length > 0) options.define = rangesOption(define);
    if (form.properties.length > 0) options.property = form.properties;
    if (state.system !== undefined) options.system = state.system;
    if (state.how.memory !== undefined) options.memory = state.how.memory;
    const started: Experiment = { path: doc, points: [], runs, isRunning: true };
    change((s) => (s.experiment = started));
    const put = (how: Partial<Experiment>) => change((s) => s.experiment !== undefined && (s.experiment = { ...s.experiment, ...how }));
    try {
      await runJob({ command: "experiment", path: doc, options }, undefined, (e, job) => {
        put({ job, points: takePoint(state.experiment!.points, e as unknown as PointEvent) });
      });
    } catch (e) {
      failed(e);
    } finally {
      put({ isRunning: false });
    }
  };

  return (
    <div class="experiments">
      <form
        onSubmit={(e) => {
          e.preventDefault();
          if (canRun) void run();
        }}
      >
        <fieldset>
          <legend>constants</legend>
          {numeric.length === 0 && <span class="dim">this model has no numbers to change</span>}
          <div class="bar">
            {numeric.map(([name, value]) => (
              <label key={name} class="choice">
                <code title={name}>{name}</code>
                <input
                  size={8}
                  placeholder={`${value}, or ${value}..${value + 3}`}
                  value={form.ranges[name] ?? ""}
                  aria-invalid={wrong?.name === name}
                  onInput={(e) => {
                    const { [name]: _, ...others } = form.ranges;
                    const text = e.currentTarget.value;
                    setForm({ ...form, ranges: text.trim() === "" ? others : { ...others, [name]: text } });
                  }}
                />
              </label>
            ))}
          </div>
        </fieldset>
        <Choices title="methods" all={(methods ?? []).map((m) => m.name)} chosen={form.methods} set={(m) => setForm({ ...form, methods: m })} />
        <Choices title="properties (none: all)" all={rows.map((r) => r.name)} chosen={form.properties} set={(p) => setForm({ ...form, properties: p })} />
        <div class="bar">
          <button type="submit" class="first" disabled={!canRun}>
            ▸ run {plural(runs, "point")}
          </button>
          {isRunning && <button onClick={() => void abort(experiment!.job!)}>■ abort</button>}
          <span class="dim">at most {time} each, one after the other</span>
          {wrong !== undefined && <span class="error-text">{wrong.name}: a number, a list 1,2,4 or a range 2..5</span>}
          {runs > kMost && <span class="error-text">that is more than {kMost} points</span>}
        </div>
      </form>
      {experiment !== undefined && experiment.path === doc && <Results experiment={experiment} />}
    </div>
  );
}

function Results({ experiment }: { experiment: Experiment }) {
  const { points } = experiment;
  const constants = varied(points);
  const [x, setX] = useState<string>();
  const [y, setY] = useState<Measure>("states");
  const [logX, setLogX] = useState(false);
  const [logY, setLogY] = useState(true);
  const varying = constants.filter((c) => new Set(points.map((p) => p.define[c])).size > 1);
  const xShown = x !== undefined && constants.includes(x) ? x : (varying[0] ?? constants[0]);
  const plot = xShown === undefined ? undefined : plotOf(points, { x: xShown, y, logX, logY, width: 560, height: 320 });
  const open = (p: Point) => openPoint(p);
  const runsDone = new Set(points.map((p) => JSON.stringify([p.define, p.method]))).size;
  return (
    <section aria-label="results">
      <div class="bar">
        <span role="status">
          {experiment.isRunning ? `${runsDone} of ${plural(experiment.runs, "point")}` : `${plural(runsDone, "point")}, ${plural(points.length, "result")}`}
        </span>
        <span class="spring" />
        <button disabled={points.length === 0} onClick={() => saveText(csv(points), "experiment.csv", "text/csv")}>
          save .csv
        </button>
        <button
          disabled={plot === undefined}
          onClick={() => plot !== undefined && saveText(plotFile(plot, xShown!, kMeasures[y]), "experiment.svg", "image/svg+xml")}
        >
          save .svg
        </button>
      </div>
      {points.length > 0 && (
        <div class="bar">
          <label class="choice">
            plot
            <select value={y} onChange={(e) => setY(e.currentTarget.value as Measure)}>
              {(Object.keys(kMeasures) as Measure[]).map((m) => (
                <option key={m} value={m} disabled={points.every((p) => p[m] === undefined)}>
                  {kMeasures[m]}
                </option>
              ))}
            </select>
          </label>
          <label class="choice">
            against
            <select value={xShown} onChange={(e) => setX(e.currentTarget.value)}>
              {constants.map((c) => (
                <option key={c}>{c}</option>
              ))}
            </select>
          </label>
          <label class="choice">
            <input type="checkbox" checked={logY} onChange={(e) => setLogY(e.currentTarget.checked)} />
            logarithmic
          </label>
          <label class="choice">
            <input type="checkbox" checked={logX} onChange={(e) => setLogX(e.currentTarget.checked)} />
            {xShown} too
          </label>
        </div>
      )}
      {plot !== undefined ? (
        <Plot plot={plot} xTitle={xShown!} yTitle={kMeasures[y]} open={open} about={about} />
      ) : (
        points.length > 0 && <p class="dim">There is nothing to plot: no constant varies, or no point has this number.</p>
      )}
      {points.length > 0 && <Table points={points} constants={constants} open={open} />}
    </section>
  );
}

function Table({ points, constants, open }: { points: Point[]; constants: string[]; open: (p: Point) => void }) {
  const measures = (Object.keys(kMeasures) as Measure[]).filter((m) => points.some((p) => p[m] !== undefined));
  const heads: Record<Measure, string> = { states: "states", time: "time", memory: "memory", assumption: "|A|", conjectures: "conjectures", queries: "queries" };
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="table of points">
      <table class="points">
        <thead>
          <tr>
            {constants.map((c) => (
              <th key={c} scope="col" class="number">
                {c}
              </th>
            ))}
            <th scope="col">method</th>
            <th scope="col">property</th>
            <th scope="col">verdict</th>
            {measures.map((m) => (
              <th key={m} scope="col" class="number" title={kMeasures[m]}>
                {heads[m]}
              </th>
            ))}
            <th scope="col">
              <span class="unseen">open</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {points.map((p, i) => (
            <tr key={i}>
              {constants.map((c) => (
                <td key={c} class="number">
                  {p.define[c]}
                </td>
              ))}
              <td>{p.method}</td>
              <td>{p.property}</td>
              <td class={p.verdict} title={p.why}>
                {p.verdict}
              </td>
              {measures.map((m) => (
                <td key={m} class="number">
                  {valueText(m, p[m])}
                </td>
              ))}
              <td>
                <button class="plain" aria-label={`open ${about(p)}`} onClick={() => open(p)}>
                  open
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
