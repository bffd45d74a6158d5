// One conjecture as a drawing: what is new since the one before, what the next one will not have, and the way of the word
// that decided. The same is said in words below it.
import { useMemo, useState } from "preact/hooks";
import { Drawing } from "../draw/drawing";
import type { Diff, Step, Tools } from "../draw/drawing";
import { named } from "../draw/graph";
import { plural } from "../format";
import type { Answer, Conjecture } from "../recording";
import type { Lts } from "../types";
import { difference, pathOf } from "./diff";
import type { NumberStep } from "./diff";
import type { Epoch } from "./epochs";
import { standing } from "./places";
import { usePlaces } from "./use-places";

interface Changes {
  diff: Diff;
  path: Step[];
  words: string[]; // what changed, to be read
}

export function changesOf(epoch: Epoch, cell: Conjecture, answer: Answer | undefined, names: readonly string[], text: readonly string[]): Changes {
  const at = epoch.cells.indexOf(cell);
  const before = epoch.cells[at - 1];
  const after = epoch.cells[at + 1];
  const since = before === undefined ? undefined : difference(before.lts, cell.lts);
  const until = after === undefined ? undefined : difference(cell.lts, after.lts);
  const spelt = ([from, action, to]: NumberStep): Step => [from, names[action] ?? `#${action}`, to];
  const diff: Diff = {
    newStates: since?.newStates ?? [],
    newSteps: (since?.newSteps ?? []).map(spelt),
    movedSteps: (since?.movedSteps ?? []).map(spelt),
    goingSteps: (until?.goingSteps ?? []).map(spelt),
  };
  const path = answer?.word === undefined ? [] : pathOf(cell.lts, answer.word).map(spelt);
  const list = (steps: readonly Step[]): string => steps.map(([f, a, t]) => `${text[f] ?? f} ${a} ${text[t] ?? t}`).join("; ");
  const words: string[] = [];
  if (diff.newStates!.length > 0) words.push(`new states: ${diff.newStates!.map((s) => text[s] ?? s).join(", ")}`);
  if (diff.newSteps!.length > 0) words.push(`new steps: ${list(diff.newSteps!)}`);
  if (diff.movedSteps!.length > 0) words.push(`steps that led elsewhere: ${list(diff.movedSteps!)}`);
  if (diff.goingSteps!.length > 0) words.push(`steps that the next one lacks, at least after some words: ${list(diff.goingSteps!)}`);
  return { diff, path, words };
}

interface Props {
  epoch: Epoch;
  cell: Conjecture;
  answer: Answer | undefined;
  names: readonly string[];
  title: string;
  tools?: (tools: Tools) => void;
}

export function ConjectureDrawing({ epoch, cell, answer, names, title, tools }: Props) {
  const last = epoch.cells.at(-1)!.lts;
  const drawable = cell.lts.steps !== undefined && last.steps !== undefined && cell.lts.states > 0;
  const laid = usePlaces(drawable ? last : undefined, names, epoch.cells[0]);
  const lts = useMemo((): Lts => named(cell.lts, names), [cell.lts, names]);
  const stands = useMemo(
    () => (laid === undefined || !drawable ? undefined : standing(cell.lts, laid.lts, laid.places)),
    [cell.lts, laid, drawable],
  );
  const after = epoch.cells[epoch.cells.indexOf(cell) + 1];
  const text = stands?.text ?? [];
  const changes = useMemo(
    () => changesOf(epoch, cell, answer, names, text),
    [cell, after, answer, names, stands],
  );
  if (cell.lts.states === 0) return <p class="empty">It has no state: it forbids everything, even to do nothing.</p>;
  if (cell.lts.steps === undefined)
    return <p class="empty">{plural(cell.lts.states, "state")} and {plural(cell.lts.transitions ?? 0, "step")}: so large a conjecture is told by its sizes only.</p>;
  return (
    <>
      <div class="conjecture-drawing">
        {stands === undefined ? (
          <p class="dim">laying it out …</p>
        ) : (
          <Drawing title={title} lts={lts} places={stands.places} room={laid?.places} text={stands.text} diff={changes.diff} path={changes.path} tools={tools} />
        )}
      </div>
      <Changed words={changes.words} first={epoch.cells[0] === cell} />
    </>
  );
}

function Changed({ words, first }: { words: string[]; first: boolean }) {
  const [open, setOpen] = useState(false);
  const short = words.map((w) => w.slice(0, w.indexOf(":"))).join(", ");
  const beginning = first ? "the first of its chapter" : "";
  return (
    <details class="changed" open={open} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>
        {[beginning, short].filter((part) => part !== "").join("; ") || "nothing has changed but what is not drawn"}
      </summary>
      <ul>
        {words.map((w) => (
          <li key={w}>{w}</li>
        ))}
      </ul>
    </details>
  );
}
