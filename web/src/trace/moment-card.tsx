// The moment that is shown, in words: who did what, in which line, what changed, where all are, what properties say.
import { editorCommand } from "../editor/commands";
import type { Walk } from "../store";
import type { Moment } from "../types";
import { labelOf, wrong } from "./steps";
import type { WalkStep } from "./steps";

export function Line({ line }: { line: number | undefined }) {
  if (line === undefined) return null;
  return (
    <button class="plain link" title="to the text" onClick={() => editorCommand("goto", { line: line - 1, character: 0 })}>
      line {line}
    </button>
  );
}

// Where components, processes, variables and properties are.
export function Situation({ moment }: { moment: Moment }) {
  const rows: { name: string; at: string; line?: number; bad?: boolean }[] = [];
  if (moment.components) rows.push(...moment.components);
  if (moment.processes) rows.push(...moment.processes.map((p) => ({ ...p, at: p.ended ? "ended" : p.at })));
  const told = new Set(rows.map((r) => r.name));
  for (const [name, at] of Object.entries(moment.values ?? {})) if (!told.has(name)) rows.push({ name, at });
  const properties: typeof rows =
    moment.watchers?.map((w) => ({ name: w.name, at: w.violated ? "violated" : w.at, bad: w.violated })) ??
    Object.entries(moment.properties ?? {}).map(([name, at]) => ({ name, at, bad: at === "violated" }));
  for (const [name, at] of Object.entries(moment.watch ?? {}))
    if (!properties.some((p) => name === p.name || name === `property ${p.name}`))
      properties.push({ name, at, bad: at.startsWith("violated") });
  const list = (items: typeof rows) => (
    <dl class="situation">
      {items.map((r) => (
        <div key={r.name} class={r.bad ? "violated" : undefined}>
          <dt>{r.name}</dt>
          <dd>
            {r.bad && "✗ "}
            {r.at} <Line line={r.line} />
          </dd>
        </div>
      ))}
    </dl>
  );
  return (
    <>
      {list(rows)}
      {properties.length > 0 && list(properties)}
    </>
  );
}

export const endOf = (moment: Moment): string | undefined =>
  moment.deadlock ? "deadlock: nothing can happen" : moment.ended ? "all have ended" : undefined;

export function MomentCard({ walk, step }: { walk: Walk; step: WalkStep | undefined }) {
  const moment = walk.moments[walk.at];
  if (moment === undefined) return null;
  const end = walk.moments.length - 1;
  const trouble = step && wrong(step);
  const over = endOf(moment);
  return (
    <section class="moment" aria-label="the moment that is shown">
      <h3>
        {walk.at} of {end}
        {step && (
          <>
            : <span class="mono">{labelOf(step)}</span> <span class="dim">{step.who.join(", ")}</span>
          </>
        )}
        {walk.cycleFrom !== undefined && walk.at === end && <span> ↻ and again from {walk.cycleFrom}</span>}
      </h3>
      {trouble !== undefined && <p class="violated">✗ {trouble}</p>}
      {over !== undefined && <p class={moment.deadlock ? "violated" : "dim"}>{over}</p>}
      {step && step.statements.length > 0 && (
        <ul class="statements">
          {step.statements.map((s, i) => (
            <li key={i}>
              {s.process} <Line line={s.line} /> <code>{s.text}</code>
            </li>
          ))}
        </ul>
      )}
      {step && step.changes.length > 0 && (
        <ul class="changes" aria-label="what changed">
          {step.changes.map((c) => (
            <li key={c.name}>
              <b>{c.name}</b> <span class="dim">{c.from}</span> → {c.to}
            </li>
          ))}
        </ul>
      )}
      <details>
        <summary>where all are</summary>
        <Situation moment={moment} />
      </details>
    </section>
  );
}
