// One small drawing a component, with its present state filled; a line of text where it has more than 60 states.
import { useEffect, useMemo, useState } from "preact/hooks";
import { showMachine } from "../actions";
import { Drawing } from "../draw/drawing";
import { machine } from "../draw/machines";
import type { Machine } from "../draw/machines";
import { useStore } from "../store";
import type { Moment, SystemOf } from "../types";
import { Line } from "./moment-card";
import { presentState } from "./now";

const kMost = 60; // states of a small drawing
const kFirst = 12; // drawings at first

function Small({ name, moment, property }: { name: string; moment: Moment; property: boolean }) {
  const system = useStore((s) => s.model?.system);
  const [shown, setShown] = useState<Machine>();
  useEffect(() => {
    let old = false;
    machine(name).then(
      (m) => old || setShown(m),
      () => undefined,
    );
    return () => {
      old = true;
    };
  }, [name, system]);
  const at = presentState(moment, name);
  const marked = useMemo(() => (at === undefined ? [] : [at]), [at]);
  const component = moment.components?.find((c) => c.name === name);
  const watcher = moment.watchers?.find((w) => w.name === name);
  const text = watcher?.violated ? "violated" : (component?.at ?? watcher?.at ?? String(at ?? ""));
  return (
    <figure class={watcher?.violated ? "small-machine broken" : "small-machine"}>
      <figcaption>
        <button class="plain link" title="draw it large" onClick={() => showMachine(name)}>
          {name}
        </button>
        {property && <span class="dim"> property</span>} <b>{watcher?.violated ? `✗ ${text}` : text}</b> <Line line={component?.line} />
      </figcaption>
      {shown?.steps !== undefined && <Drawing small title={`${name}, now ${text}`} lts={shown} marked={marked} />}
    </figure>
  );
}

export function SmallMachines({ moment, system }: { moment: Moment; system: SystemOf }) {
  const [all, setAll] = useState(false);
  const machines = [
    ...system.components.map((c) => ({ ...c, property: false })),
    ...system.properties.map((p) => ({ ...p, property: true })),
  ];
  const drawn = machines.filter((m) => m.states <= kMost);
  const large = machines.filter((m) => m.states > kMost);
  const shown = all ? drawn : drawn.slice(0, kFirst);
  return (
    <div class="small-machines">
      {large.map((m) => {
        const at = moment.components?.find((c) => c.name === m.name) ?? moment.watchers?.find((w) => w.name === m.name);
        return (
          <p key={m.name} class="large-machine">
            <button class="plain link" onClick={() => showMachine(m.name)}>
              {m.name}
            </button>{" "}
            <b>{at?.at}</b> <span class="dim">of {m.states.toLocaleString("en")} states</span>
          </p>
        );
      })}
      {shown.map((m) => (
        <Small key={m.name} name={m.name} moment={moment} property={m.property} />
      ))}
      {shown.length < drawn.length && <button onClick={() => setAll(true)}>{drawn.length - shown.length} more</button>}
    </div>
  );
}
