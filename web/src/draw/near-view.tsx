// The neighbourhood of a state, drawn: of machines of every size.
import { useEffect, useMemo, useState } from "preact/hooks";
import { askModel } from "../actions";
import { Drawing } from "./drawing";
import type { Tools } from "./drawing";
import type { Machine, Minimise } from "./machines";
import { asMachine, kNear, near } from "./near";
import type { Near, Range } from "./near";

interface Props {
  machine: Machine;
  minimise: Minimise;
  range: Range;
  set: (range: Range | undefined) => void; // nothing: the whole machine again
  back: boolean; // whether that can be drawn
  glow?: string;
  hidden: ReadonlySet<string>;
  marked: readonly number[];
  withNames: boolean;
  tools: (tools: Tools) => void;
}

export function NearView({ machine, minimise, range, set, back, glow, hidden, marked, withNames, tools }: Props) {
  const [found, setFound] = useState<{ near: Near; of: Machine; range: Range }>();
  const [trouble, setTrouble] = useState("");
  useEffect(() => {
    let old = false;
    const take = (n: Near): void => {
      if (!old) setFound({ near: n, of: machine, range });
      if (!old) setTrouble("");
    };
    if (machine.steps !== undefined) take(near(machine, range));
    else {
      const { state, radius, both } = range;
      const asked = { machine: machine.name, state, radius, forward: !both, most: kNear, ...(minimise === "" ? {} : { minimise }) };
      askModel<Near>("surety/near", asked).then(take, (e: Error) => old || setTrouble(e.message));
    }
    return () => {
      old = true;
    };
  }, [machine, minimise, range]);

  const shown = found?.of === machine ? found : undefined;
  const part = useMemo(() => shown && asMachine(shown.near, shown.range.state), [shown]);
  const text = useMemo(() => part?.text.map((t, i) => (withNames ? (part.lts.names?.[i] ?? t) : t)), [part, withNames]);
  const here = useMemo(
    () => (shown === undefined ? [] : marked.map((s) => shown.near.states.indexOf(s)).filter((i) => i >= 0)),
    [shown, marked],
  );
  const number = (label: string, value: number, most: number, put: (n: number) => void) => (
    <label>
      {label}{" "}
      <input
        type="number"
        min={label === "state" ? 0 : 1}
        max={most}
        value={value}
        onChange={(e) => put(Math.max(0, Math.min(most, Math.trunc(Number(e.currentTarget.value)) || 0)))}
      />
    </label>
  );
  return (
    <>
      <div class="bar near-bar" role="group" aria-label="neighbourhood">
        {number("state", range.state, machine.states - 1, (state) => set({ ...range, state }))}
        {number("within", range.radius, 20, (radius) => set({ ...range, radius: Math.max(1, radius) }))} steps
        <label>
          <input type="checkbox" checked={range.both} onChange={(e) => set({ ...range, both: e.currentTarget.checked })} /> backwards
          as well
        </label>
        {back && <button onClick={() => set(undefined)}>whole machine</button>}
      </div>
      {trouble !== "" && <p class="error-text">{trouble}</p>}
      {part && shown && (
        <Drawing
          title={`${machine.name} near state ${shown.range.state}`}
          lts={part.lts}
          text={text}
          center={part.at}
          open={part.open}
          of={shown.near.of}
          marked={here}
          glow={glow}
          hidden={hidden}
          tools={tools}
          onOpen={(i) => set({ ...range, state: shown.near.states[i]! })}
        />
      )}
    </>
  );
}
