// The list of checks: a row per check, its state by sign and word, and what can be done with it.
import { runRow, showPanel, showRow, showTrace } from "../actions";
import { showLine } from "../editor/commands";
import { isHere, kSigns } from "../editor/marks-of";
import { count, plural, reached, seconds } from "../format";
import { isTooMuch, lookOf, rowCalled } from "../rows";
import type { Look } from "../rows";
import { abort, abortRow, runWhole } from "../runs";
import { change, state, useStore } from "../store";
import type { Job, Row } from "../store";
import { focusPanel } from "./focus-panel";
import { How } from "./how";

const kWords: Record<Look, string> = {
  "not run": "not run",
  waiting: "waiting",
  running: "running",
  holds: "holds",
  violated: "violated",
  unknown: "unknown",
  stale: "holds, text changed since",
};

function word(row: Row, look: Look): string {
  if (look !== "stale") return kWords[look];
  const isText = row.from === undefined || state.jobs[row.from]?.text !== state.doc?.text;
  return `${row.result!.verdict}, ${isText ? "text" : "constants or system"} changed since`;
}

const kBars = "▁▂▃▄▅▆▇█";

// How many states a run has met from one sample to the next, as eight signs at most.
function spark(profile: { states: number }[]): string {
  const last = profile.slice(-9);
  const fresh = last.slice(1).map((p, i) => Math.max(0, p.states - last[i]!.states));
  const most = Math.max(1, ...fresh);
  return fresh.map((n) => kBars[Math.min(7, Math.floor((n / most) * 7.99))]).join("");
}

function Running({ job }: { job: Job }) {
  useStore(() => job.recording.events);
  const { progress, profile, checks } = job.recording;
  const lanes = checks.flatMap((c) => c.lanes);
  const running = lanes.filter((l) => l.is === "running");
  const conjectures = progress?.conjectures ?? 0;
  return (
    <span class="numbers">
      {running.length > 1 ? `race of ${running.length}` : running[0]?.method}{" "}
      <span aria-hidden="true">{spark(profile)}</span> {progress !== undefined && `${count(progress.states)} states`}
      {conjectures > 0 && `, ${plural(conjectures, "conjecture")}`}
    </span>
  );
}

function Numbers({ row, look }: { row: Row; look: Look }) {
  const job = row.job === undefined ? undefined : state.jobs[row.job];
  if (look === "running" && job !== undefined) return <Running job={job} />;
  const result = row.result;
  if (result === undefined || look === "waiting") return null;
  const parts = [
    result.method ?? "",
    seconds(result.time_s),
    result.max_states > 0 ? `${count(result.max_states)} states` : "",
  ].filter((p) => p !== "");
  return <span class="numbers">{parts.join(" · ")}</span>;
}

// What can be said of a check that was not answered, or not by what was asked for.
function Why({ row }: { row: Row }) {
  const result = row.result;
  const job = row.job === undefined ? undefined : state.jobs[row.job];
  const signal = job?.signal;
  const lines: string[] = [];
  const isLast = row.from === row.job; // what is known is of the last run
  if (signal !== undefined && !isLast) lines.push(`the program that ran it was ended by ${signal}`);
  const errors = job?.report?.errors ?? [];
  if (!isLast && errors[0] !== undefined) lines.push(errors[0].message + (errors[0].hint ? ` (${errors[0].hint})` : ""));
  if (result?.verdict === "unknown") {
    if (result.why !== undefined) lines.push(reached(result.why));
    const last = result.assumptions?.[0];
    if (last !== undefined)
      lines.push(`last assumption: ${plural(last.states, "state")} over ${plural(last.alphabet.length, "action")}${result.known ? `; ${result.known}` : ""}`);
  }
  if (result?.note !== undefined) lines.push(result.note);
  if (lines.length === 0) return null;
  return (
    <p class="reason">
      {lines.map((l) => (
        <span key={l}>{l}</span>
      ))}
    </p>
  );
}

function Check({ id }: { id: string }) {
  const row = useStore((s) => rowCalled(s, id));
  const look = useStore((s) => {
    const mine = rowCalled(s, id);
    return mine === undefined ? "not run" : lookOf(s, mine);
  });
  const isChosen = useStore((s) => s.selectedRow === id);
  if (row === undefined) return null;
  const result = row.result;
  const isBusy = look === "running" || look === "waiting";
  const steps = (result?.trace?.length ?? 0) + (result?.cycle?.length ?? 0);
  const job = row.job === undefined ? undefined : state.jobs[row.job];
  const hasProof = job !== undefined && !isBusy;
  return (
    <li class={`check ${isChosen ? "chosen" : ""} ${look === "stale" ? "stale" : ""}`}>
      <button class="plain name" aria-current={isChosen ? "true" : undefined} onClick={() => {
          showRow(id);
          if (isHere(state, row.place)) showLine(row.place!.line!);
        }}>
        <span class={`state ${look}`}>
          <span aria-hidden="true">{kSigns[look]}</span> {word(row, look)}
        </span>
        <strong>{row.name}</strong>
        <span class="dim kind">{[row.kind === row.name ? "" : row.kind, row.inside ? "" : "not in the system"].filter((t) => t !== "").join(", ")}</span>
      </button>
      <Numbers row={row} look={look} />
      <span class="buttons">
        {isBusy ? (
          <button title="abort" onClick={() => abortRow(id)} aria-label={`abort ${row.name}`}>
            ■
          </button>
        ) : (
          <button title="run" onClick={() => runRow(id)} aria-label={`${result === undefined ? "run" : "run again"}: ${row.name}`}>
            {result === undefined ? "▸" : "↻"}
          </button>
        )}
        {result?.trace !== undefined && result.verdict === "violated" && (
          <button onClick={() => {
              void showTrace(id);
              focusPanel();
            }} aria-label={`trace of ${row.name}, ${plural(steps, "step")}`}>
            trace <span class="dim">{plural(steps, "step")}</span>
          </button>
        )}
        {hasProof && (
          <button
            aria-label={`proof of ${row.name}`}
            onClick={() => {
              showRow(id);
              showPanel("proof");
              focusPanel();
            }}
          >
            proof
          </button>
        )}
        {result?.certified === true && result.verdict === "holds" && (
          <button
            class="plain"
            title="checked again by the independent checker"
            aria-label={`certificate of ${row.name}, checked`}
            onClick={() => {
              showRow(id);
              showPanel("proof");
              requestAnimationFrame(() => document.querySelector("[data-certificate]")?.scrollIntoView());
            }}
          >
            cert ✓
          </button>
        )}
      </span>
      <Why row={row} />
    </li>
  );
}

// A job about all checks of the open file, which has not ended.
const isWhole = (s: typeof state, job: Job): boolean =>
  job.command === "check" && job.row === undefined && job.state !== "done" && job.path === s.doc?.path && job.options.property === undefined;

function summary(looks: Look[]): string {
  const n = (look: Look) => looks.filter((l) => l === look).length;
  const parts = (["holds", "violated", "unknown", "running", "waiting"] as const).filter((l) => n(l) > 0).map((l) => `${n(l)} ${l}`);
  return parts.join(", ");
}

export function Checks() {
  const ids = useStore((s) => s.rows.map((r) => r.id).join("\n"));
  const said = useStore((s) => summary(s.rows.map((r) => lookOf(s, r))));
  const howOpen = useStore((s) => s.howOpen);
  const method = useStore((s) => String(s.how.method ?? "auto"));
  const hasErrors = useStore((s) => s.model?.diagnostics.some((d) => d.severity === 1) ?? false);
  const doc = useStore((s) => s.doc?.path);
  const tooMuch = useStore(isTooMuch);
  const whole = useStore((s) => Object.values(s.jobs).findLast((j) => isWhole(s, j))); // while it runs
  return (
    <section id="checks" class="checks" aria-labelledby="checks-title">
      <header class="bar">
        <h2 id="checks-title">Checks</h2>
        <span class="dim">{said}</span>
        <span class="spring" />
        <button class="plain" aria-expanded={howOpen} onClick={() => change((s) => (s.howOpen = !s.howOpen))}>
          how: {method} {howOpen ? "▴" : "▾"}
        </button>
      </header>
      <How />
      {ids === "" && tooMuch ? (
        <p class="empty">
          Reading this takes more than a question may, so its checks are not known yet. A job may take as long as <em>how</em> says.{" "}
          {whole === undefined ? (
            <button onClick={() => void runWhole()}>check all as one job</button>
          ) : (
            <button onClick={() => void abort(whole.id)}>abort the job</button>
          )}
        </p>
      ) : ids === "" ? (
        <p class="empty">
          {doc === undefined
            ? "What an open model declares is listed here."
            : hasErrors
              ? "The text has errors; what it declares is listed here when it can be read."
              : "This text declares nothing to check."}
        </p>
      ) : (
        <ul>
          {ids.split("\n").map((id) => (
            <Check key={id} id={id} />
          ))}
        </ul>
      )}
    </section>
  );
}
