// A lane that learns: the conjecture of the cursor as a drawing, beside it why there is a next one.
import { useRef, useState } from "preact/hooks";
import type { Tools } from "../draw/drawing";
import { plural } from "../format";
import type { CheckRun, Lane } from "../recording";
import type { Job } from "../store";
import { SaveAs, TryOwn } from "./assumption";
import type { Shown } from "./assumption";
import * as api from "../api";
import { ConjectureDrawing } from "./conjecture";
import { answerTo } from "./epochs";
import type { Track } from "./track";
import { spell } from "./track";
import { Why } from "./why";
import { assumptionName } from "./words";

interface Props {
  job: Job;
  check: CheckRun;
  lane: Lane;
  track: Track;
  at: number;
  method: string;
  running: boolean;
}

export function Learned({ job, check, lane, track, at, method, running }: Props) {
  const { names } = job.recording;
  const tools = useRef<Tools | undefined>(undefined);
  const [, toolsCame] = useState(0);
  const cell = lane.conjectures[at];
  if (cell === undefined) return null;
  const epochs = track.epochs.get(cell.assumption) ?? [];
  const place = epochs.findIndex((e) => e.cells.includes(cell));
  const epoch = epochs[place];
  if (epoch === undefined) return null;
  const of = track.epochs.size;
  const answer = answerTo(lane, cell);
  const isLastOfEpoch = epoch.cells.at(-1) === cell;
  const next = cell.next === undefined ? undefined : lane.conjectures[cell.next];
  const name = assumptionName(method, cell.assumption, of);
  const its = `conjecture ${at + 1} of ${lane.conjectures.length}`;
  const before = lane.conjectures.findLast((c) => c.index < at && c.assumption === cell.assumption);
  const refined = lane.refined.filter((r) => r.cells > at && (next === undefined || r.cells <= next.index));
  const title = `${its}${of > 1 ? `, ${name}` : ""}: ${plural(cell.lts.states, "state")}, ${plural(cell.lts.steps?.length ?? cell.lts.transitions ?? 0, "step")}`;
  const isFinal = next === undefined && !running;
  const final = check.verdict?.assumptions?.[cell.assumption - 1];
  const fileName = `${check.property ?? check.kind}-${of > 1 ? `A${cell.assumption}` : "A"}${isFinal ? "" : `-${at + 1}`}`;
  const shown: Shown = { of: `assumption.${cell.assumption}`, name: fileName, svg: () => tools.current?.svg() };
  if (!isFinal) shown.k = cell.k;
  return (
    <>
      <div class="proof-columns">
        <section class="conjecture" aria-labelledby="conjecture-title">
          <h3 id="conjecture-title">{title}</h3>
          <p class="alphabet-line dim" tabIndex={0}>
            over {"{"}
            {spell(epoch.alphabet, names)}
            {"}"}
          </p>
          <ConjectureDrawing
            epoch={epoch}
            cell={cell}
            answer={answer}
            names={names}
            title={title}
            tools={(t) => {
              tools.current = t;
              toolsCame((n) => n + 1);
            }}
          />
        </section>
        <Why
          lane={lane}
          cell={cell}
          before={before}
          answer={answer}
          widened={isLastOfEpoch ? epochs[place + 1]?.widened : undefined}
          refined={refined}
          method={method}
          assumptions={of}
          recording={job.recording}
          property={check.property}
          running={running}
        />
      </div>
      {cell.lts.steps !== undefined && !job.lost && (
        <p class="bar assumption-line">
          <SaveAs job={job.name} shown={shown} />
          {check.kind === "safety" && of === 1 && job.command === "check" && (
            <TryOwn
              job={job}
              check={check}
              split={lane.split}
              text={async () => (isFinal && final?.fsp !== undefined ? final.fsp : api.ltsText(job.name, shown.of, shown.k, "lts"))}
            />
          )}
        </p>
      )}
    </>
  );
}
