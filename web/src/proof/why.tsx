// Why there is a next conjecture: which premise an oracle was asked about, what it found, and the word that shows it.
import { useState } from "preact/hooks";
import { plural } from "../format";
import type { Answer, Conjecture, Lane, Recording, Refinement, Widened } from "../recording";
import { SideChart } from "./side-chart";
import { sideBySide } from "./align";
import { spell } from "./track";
import { fails, meaning, premise } from "./words";

interface Props {
  lane: Lane;
  cell: Conjecture;
  before: Conjecture | undefined; // of the same assumption
  answer: Answer | undefined;
  widened: Widened | undefined; // the next chapter begins because of this
  refined: readonly Refinement[]; // blocks that were split before the next one (agar)
  method: string;
  assumptions: number;
  recording: Recording;
  property: string | undefined;
  running: boolean;
}

export function Why({ lane, cell, before, answer, widened, refined, method, assumptions, recording, property, running }: Props) {
  const { names } = recording;
  const [chart, setChart] = useState(false);
  const isLast = cell.next === undefined;
  return (
    <section class="reason" aria-labelledby="why-title">
      <h3 id="why-title">{isLast ? (running ? "what is asked" : "how it ended") : "why the next one"}</h3>
      {answer === undefined && refined.length === 0 && (
        <p>
          {cell.asked > 0 ? `oracle ${cell.asked} was asked about ${premise(method, cell.assumption, cell.asked, assumptions)}` : "no oracle was asked about this one alone"}
          {!running && isLast ? "; no answer came" : ""}
        </p>
      )}
      {answer !== undefined && (
        <p class={`oracle-said oracle-${answer.oracle === 2 ? 2 : 1}`}>
          <b>oracle {answer.oracle}</b>: {premise(method, answer.assumption, answer.oracle, assumptions)}
          {fails(answer.result) ? " fails: " : ": "}
          <b>{answer.result}</b>
        </p>
      )}
      {answer !== undefined && fails(answer.result) && <p class="dim">{meaning(answer.result)}</p>}
      {refined.map((r) => (
        <p key={r.t}>
          too coarse: <span class="mono">{spell(r.word, names)}</span> is no word of {r.component}, so block {r.split} is split
        </p>
      ))}
      <dl>
        {answer?.word !== undefined && (
          <>
            <dt>word</dt>
            <dd class="mono">{spell(answer.word, names)}</dd>
          </>
        )}
        {answer?.trace !== undefined && answer.trace.length > 0 && answer.result !== "alphabet too small" && (
          <>
            <dt>trace</dt>
            <dd>
              <span class="mono">{spell(answer.trace, names)}</span>{" "}
              <button type="button" aria-expanded={chart} onClick={() => setChart(!chart)}>
                chart {chart ? "▾" : "▸"}
              </button>
            </dd>
          </>
        )}
        {cell.queries !== undefined && (
          <>
            <dt>queries</dt>
            <dd>
              {cell.queries.toLocaleString("en")}
              {before?.queries !== undefined && ` (+${(cell.queries - before.queries).toLocaleString("en")})`}
            </dd>
          </>
        )}
        {answer !== undefined && (
          <>
            <dt>searched</dt>
            <dd>
              {plural(answer.states, "state")}, {plural(answer.transitions, "transition")}
            </dd>
          </>
        )}
        {cell.times > 1 && (
          <>
            <dt>stood for</dt>
            <dd>{plural(cell.times, "round")}</dd>
          </>
        )}
      </dl>
      {chart && answer?.trace !== undefined && (
        <SideChart recording={recording} lane={lane} answer={answer} method={method} property={property} />
      )}
      {widened !== undefined && <Widening widened={widened} lane={lane} names={names} />}
    </section>
  );
}

const kLines = 60;

// The alphabet was too small: the two traces side by side, and what they disagree on.
function Widening({ widened, lane, names }: { widened: Widened; lane: Lane; names: readonly string[] }) {
  const added = new Set(widened.added);
  const shared = new Set([...(lane.interface ?? []), ...widened.added]);
  const lines = sideBySide(widened.ours, widened.theirs, shared);
  const name = (action: number | undefined) =>
    action === undefined ? null : added.has(action) ? <mark>{names[action]}</mark> : <span class={shared.has(action) ? "" : "dim"}>{names[action]}</span>;
  return (
    <div class="widening scroll" tabIndex={0} role="region" aria-label="two traces that do not fit together">
      <table>
        <caption>
          these two traces agree on the alphabet, but not on <b>{spell(widened.added, names)}</b>
        </caption>
        <thead>
          <tr>
            <th scope="col">one side</th>
            <th scope="col">the other</th>
          </tr>
        </thead>
        <tbody>
          {lines.slice(0, kLines).map((line, i) => (
            <tr key={i} class={line.together ? "together" : line.odd ? "odd" : ""}>
              <td class="mono">{name(line.ours)}</td>
              <td class="mono">{name(line.theirs)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length === 0 && <p class="dim">both do nothing</p>}
      {lines.length > kLines && <p class="dim">⋯ {lines.length - kLines} more lines</p>}
      <p>
        next chapter: <b>+ {spell(widened.added, names)}</b>
      </p>
    </div>
  );
}
