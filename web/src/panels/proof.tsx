// Proof: how an answer was found, as a recording that one can step through. While the run goes on it is the same player,
// at its end.
import { useEffect, useMemo, useState } from "preact/hooks";
import { showJob } from "../actions";
import { warm } from "../draw/graphviz";
import { plural, seconds, stoppedBy } from "../format";
import { Certificate } from "../proof/certificate";
import { barsOf, bestLane } from "../proof/bars";
import { methodOf } from "../proof/epochs";
import { Learned } from "../proof/learned";
import { cursor, goTo, goToEnd, Player, playerKey, usePlaying } from "../proof/player";
import { Profile } from "../proof/profile";
import { Race } from "../proof/race";
import { RefinementOf } from "../proof/refinements";
import { Induction, Sizes } from "../proof/sizes";
import { Strip } from "../proof/strip";
import { TakenIn, W } from "../proof/taken-in";
import { chainsOf, spell, trackOf } from "../proof/track";
import type { Track } from "../proof/track";
import { methodName, sub } from "../proof/words";
import type { CheckRun, Lane } from "../recording";
import { isCurrent } from "../rows";
import { jobOf, useStore } from "../store";
import type { Job } from "../store";

export function Proof() {
  useEffect(warm, []);
  const job = useStore(jobOf);
  useStore((s) => jobOf(s)?.recording.events);
  if (job === undefined)
    return <p class="empty">Nothing has been checked yet. Check a property, and here is how the answer was found.</p>;
  const { checks } = job.recording;
  if (checks.length === 0)
    return (
      <p class="empty">
        {job.state === "done" ? `This run has told nothing of a proof: ${job.commandLine}` : "The run has begun, and has told nothing yet."}
      </p>
    );
  return <OfJob key={job.id} job={job} checks={checks} />;
}

const nameOfCheck = (check: CheckRun): string => check.property ?? check.kind;

function OfJob({ job, checks }: { job: Job; checks: CheckRun[] }) {
  const [chosen, choose] = useState<number>();
  const check = checks.find((c) => c.id === chosen) ?? checks.find((c) => c.lanes.length > 0) ?? checks[0]!;
  const older = useStore((s) => (s.doc?.path !== job.path || isCurrent(s, job) ? "" : s.doc.text === job.text ? "of other constants or another system" : "of an older text"));
  return (
    <div class="proof">
      {checks.length > 1 && (
        <label class="bar">
          check
          <select value={String(check.id)} onChange={(e) => choose(Number(e.currentTarget.value))}>
            {checks.map((c) => (
              <option key={c.id} value={String(c.id)}>
                {nameOfCheck(c)}
                {c.verdict === undefined ? "" : ` ${c.verdict.verdict}`}
              </option>
            ))}
          </select>
        </label>
      )}
      <OfCheck key={check.id} job={job} check={check} older={older} />
    </div>
  );
}

const kSign = { holds: "✓", violated: "✗", unknown: "?" } as const;

function Heading({ job, check, lane, method, older }: { job: Job; check: CheckRun; lane: Lane | undefined; method: string; older: string }) {
  const verdict = check.verdict;
  const split = lane?.split;
  return (
    <header class="proof-heading">
      <h2>
        {nameOfCheck(check)}{" "}
        {verdict === undefined ? (
          <span class="running">◌ {job.state === "done" ? "ended without an answer" : "running"}</span>
        ) : (
          <span class={verdict.verdict}>
            <span aria-hidden="true">{kSign[verdict.verdict]} </span>
            {verdict.verdict}
          </span>
        )}
        <span class="dim">
          {" · "}
          {methodName(method)}
          {verdict === undefined ? "" : ` · ${seconds(verdict.time_s)}`}
        </span>
        {older !== "" && <span class="badge older">{older}</span>}
      </h2>
      {split !== undefined && (
        <p class="sides-line">
          {split.slice(0, 8).map((side, i) => (
            <span key={i}>
              {i > 0 ? " │ " : ""}
              <b>M{sub(i + 1)}</b> = {side.join(" ")}
            </span>
          ))}
          {split.length > 8 ? ` │ ⋯ ${split.length - 8} more` : ""}
          {lane?.interface !== undefined && (
            <span class="dim" title={spell(lane.interface, job.recording.names)}>
              {" · "}interface {plural(lane.interface.length, "action")}
            </span>
          )}
        </p>
      )}
      {job.options.assumption !== undefined && <OwnLine job={job} />}
      {job.report?.errors?.map((e) => (
        <p key={e.message} class="error-text">
          {e.message}
          {e.hint === undefined ? "" : ` (${e.hint})`}
        </p>
      ))}
      {verdict?.why !== undefined && (
        <p class="unknown">
          {stoppedBy(verdict.why)}
          {verdict.known === undefined ? "" : `; of the last assumption is known: ${verdict.known}`}
        </p>
      )}
      {verdict?.note !== undefined && <p class="dim">{verdict.note}</p>}
      {check.forgotten > 0 && (
        <p class="dim">
          This is turn {check.turns}; {plural(check.forgotten, "step")} of shorter turns before it are not shown.
        </p>
      )}
    </header>
  );
}

// One's own assumption was tried; the run that was shown before it is still there.
function OwnLine({ job }: { job: Job }) {
  const before = useStore((s) =>
    Object.values(s.jobs).findLast(
      (j) => j.path === job.path && j.text === job.text && j.options.assumption === undefined && String(j.options.property) === String(job.options.property),
    ),
  );
  return (
    <p class="bar">
      with my own assumption
      {before !== undefined && (
        <button type="button" onClick={() => showJob(before.id)}>
          back to the run before
        </button>
      )}
    </p>
  );
}

function OfCheck({ job, check, older }: { job: Job; check: CheckRun; older: string }) {
  const [picked, pick] = useState<number>();
  const lane = check.lanes.find((l) => l.lane === picked) ?? bestLane(check);
  const { recording } = job;
  const running = job.state !== "done" && check.verdict === undefined;
  const method = methodOf(recording, check, lane);
  const steps = lane === undefined ? 0 : lane.conjectures.length + lane.refined.length + lane.takenIn.length + lane.answers.length;
  const track = useMemo(
    (): Track => (lane === undefined ? { kind: "nothing", rows: [], length: 0, epochs: new Map() } : trackOf(lane, method, recording.names)),
    [lane, method, steps, recording.events > 0 && running ? recording.events : 0],
  );
  useStore((s) => s.conjecture);
  const playing = usePlaying(track.length);
  const at = cursor(track.length);
  const bars = barsOf(check);
  const keys = (e: KeyboardEvent): void => {
    const target = e.target as Element;
    const its = e.ctrlKey || e.altKey || e.metaKey || e.defaultPrevented || track.length === 0;
    if (its || target.closest("input, textarea, select, [role='graphics-document'], .widening")) return;
    if (e.key === " " && target.closest("button, summary, a")) return;
    if (playerKey(e.key, track.length, playing.toggle)) e.preventDefault();
  };
  return (
    <div class="proof-check" data-keys tabIndex={-1} onKeyDown={keys}>
      <Heading job={job} check={check} lane={lane} method={method} older={older} />
      {bars.length > 1 && lane !== undefined && (
        <Race
          bars={bars}
          shown={lane.lane}
          onPick={(n) => {
            pick(n);
            goToEnd();
          }}
        />
      )}
      {check.sizes.length > 0 && <Sizes check={check} />}
      {lane !== undefined && track.length > 0 && (
        <>
          <Strip track={track} at={at} label={`${kWhat[track.kind]}s, a number for each`} onPick={(index) => goTo(index, track.length)} />
          <div class="bar player-line">
            <Player length={track.length} playing={playing} live={running} said={saidOf(track, at)} />
            <Legend track={track} lane={lane} />
          </div>
        </>
      )}
      {lane !== undefined && track.kind === "conjectures" && (
        <Learned job={job} check={check} lane={lane} track={track} at={at} method={method} running={running} />
      )}
      {lane !== undefined && track.kind === "refinements" && (
        <RefinementOf refinement={lane.refined[at]!} index={at} of={track.length} check={check} names={recording.names} />
      )}
      {lane !== undefined && track.kind === "taken in" && <Chain check={check} lane={lane} at={at} />}
      {track.kind === "nothing" && job.report?.errors === undefined && <Searched check={check} lane={lane} method={method} running={running} />}
      {check.sizes.length > 0 && <Induction check={check} job={job.lost ? undefined : job.name} />}
      <Certificate job={job} check={check} older={older} />
    </div>
  );
}

const kWhat = { conjectures: "conjecture", refinements: "refinement", "taken in": "component", nothing: "step" } as const;
const saidOf = (track: Track, at: number): string => `${kWhat[track.kind]} ${at + 1} of ${track.length}`;

function Legend({ track, lane }: { track: Track; lane: Lane }) {
  return (
    <p class="legend dim">
      {track.kind === "conjectures" && (
        <>
          numbers are states; decided by <span class="key oracle-1">oracle 1</span> <span class="key oracle-2">oracle 2</span>
        </>
      )}
      {track.kind === "refinements" && "numbers are blocks of a component’s abstraction"}
      {track.kind === "taken in" && "numbers are W’s states after one more component"}
      {lane.skipped > 0 && `; ${plural(lane.skipped, "step")} were not told (⋯)`}
    </p>
  );
}

function Chain({ check, lane, at }: { check: CheckRun; lane: Lane; at: number }) {
  const chains = chainsOf(lane);
  const here = chains.find((c) => c.links.some((l) => l.index === at));
  if (here === undefined) return null;
  return (
    <>
      {here.size !== undefined && <h3>size {here.size}</h3>}
      <TakenIn chain={here} at={at} onPick={(index) => goTo(index, lane.takenIn.length)} />
      {check.sizes.length === 0 && <W check={check} chain={here} at={at} isLast={here === chains.at(-1)} />}
    </>
  );
}

// Plain search, and sets of states as diagrams.
function Searched({ check, lane, method, running }: { check: CheckRun; lane: Lane | undefined; method: string; running: boolean }) {
  const verdict = check.verdict as (CheckRun["verdict"] & { reachable_states?: string; reduction?: string }) | undefined;
  const symbolic = method === "symbolic";
  return (
    <section class="searched" aria-label="search">
      <Profile samples={lane?.profile ?? []} what={symbolic ? "nodes" : "states"} running={running} />
      {verdict !== undefined && (
        <dl>
          {verdict.reachable_states !== undefined && (
            <>
              <dt>states that can be reached</dt>
              <dd>{verdict.reachable_states}</dd>
            </>
          )}
          <dt>{symbolic ? "nodes of the largest diagram" : "states searched"}</dt>
          <dd>
            {plural(symbolic ? verdict.max_states : verdict.states, symbolic ? "node" : "state")}
            {symbolic ? "" : `, ${plural(verdict.transitions, "transition")}`}
            {verdict.reduction === "por" ? ", leaving out steps that can wait" : ""}
          </dd>
        </dl>
      )}
    </section>
  );
}
