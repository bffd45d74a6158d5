// The sides of a proof, to be put together by hand: drag a component, click it (it goes to the next side), or use the
// arrow keys. What the sides share, and how large they can be, is said while that is done.
import { useState } from "preact/hooks";
import { setHow } from "../actions";
import { count, plural } from "../format";
import { rowOf, state, useStore } from "../store";
import { fitted, interfaceOf, mostStates, moved, parseSides, sidesText } from "./sides";
import type { Sides as SidesOf } from "./sides";

interface Shown {
  sides: SidesOf;
  set: (sides: SidesOf) => void;
  preview: (sides: SidesOf | undefined) => void;
}

const focusSoon = (what: string): void => {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(what)?.focus());
};

function Chip({ name, at, sides, set, preview }: Shown & { name: string; at: number }) {
  const move = (to: number) => {
    const wrapped = (to + sides.length) % sides.length;
    set(moved(sides, name, wrapped));
    focusSoon(`[data-chip="${CSS.escape(name)}"]`);
  };
  return (
    <button
      class="chip"
      draggable
      data-chip={name}
      aria-label={`${name} in M${at + 1}; arrow keys move it`}
      onClick={() => move(at + 1)}
      onKeyDown={(e) => {
        if (e.key !== "ArrowLeft" && e.key !== "ArrowRight") return;
        e.preventDefault();
        move(at + (e.key === "ArrowLeft" ? -1 : 1));
      }}
      onDragStart={(e) => e.dataTransfer?.setData("text/plain", name)}
      onDragEnd={() => preview(undefined)}
    >
      {name}
    </button>
  );
}

let dragged: string | undefined;

function Side({ at, ...shown }: Shown & { at: number }) {
  const sizes = Object.fromEntries((state.model?.system?.components ?? []).map((c) => [c.name, c.states]));
  const side = shown.sides[at]!;
  return (
    <div
      class="side-of"
      role="group"
      aria-label={`M${at + 1}`}
      onDragStart={(e) => (dragged = (e.target as HTMLElement).dataset.chip)}
      onDragOver={(e) => {
        e.preventDefault();
        if (dragged !== undefined && !side.includes(dragged)) shown.preview(moved(shown.sides, dragged, at));
      }}
      onDrop={(e) => {
        e.preventDefault();
        const name = e.dataTransfer?.getData("text/plain");
        shown.preview(undefined);
        if (name) shown.set(moved(shown.sides, name, at));
      }}
    >
      <strong>M{at + 1}</strong>{" "}
      <span class="dim">{side.length === 0 ? "empty" : `at most ${count(mostStates(side, sizes))} states`}</span>
      <div class="bar">
        {side.map((name) => (
          <Chip key={name} name={name} at={at} {...shown} />
        ))}
      </div>
    </div>
  );
}

export function Sides() {
  const system = useStore((s) => s.model?.system);
  const split = useStore((s) => s.how.split);
  const row = useStore((s) => rowOf(s));
  const [preview, setPreview] = useState<SidesOf>();
  if (system === undefined || system.components.length < 2) return null;
  const names = system.components.map((c) => c.name);
  if (typeof split !== "string") {
    const begin = row?.result?.split ?? [names.slice(0, Math.ceil(names.length / 2))];
    return (
      <div class="bar">
        <span>sides: chosen by surety{row?.result?.split !== undefined && `; last M1 = ${row.result.split[0]?.join(", ")}`}</span>
        <button
          data-choose-sides
          onClick={() => {
            setHow("split", sidesText(fitted(begin, names)));
            focusSoon("[data-chip]"); // this button is gone
          }}
        >
          choose them
        </button>
      </div>
    );
  }
  const chosen = fitted(parseSides(split), names);
  const set = (sides: SidesOf) => setHow("split", sidesText(sides) || undefined);
  const shown = preview ?? chosen;
  const property = row?.kind === "safety" ? row.name : undefined;
  const shared = interfaceOf(shown, system.actions, property);
  return (
    <fieldset class="sides">
      <legend>sides</legend>
      <div class="side-row">
        {chosen.map((_, i) => (
          <Side key={i} at={i} sides={chosen} set={set} preview={setPreview} />
        ))}
      </div>
      <div class="bar">
        <details>
          <summary>
            interface {plural(shared.length, "action")}
            {preview !== undefined && " if it is dropped here"}
          </summary>
          <span class="mono">{shared.join(", ") || "none"}</span>
        </details>
        <span class="spring" />
        <button onClick={() => set([...chosen.slice(0, -1), ...splitLast(chosen)])} disabled={chosen[chosen.length - 1]!.length < 2}>
          one side more
        </button>
        {chosen.length > 2 && <button onClick={() => set([...chosen.slice(0, -2), chosen.slice(-2).flat()])}>one side less</button>}
        <button
          onClick={() => {
            setHow("split", undefined);
            focusSoon("[data-choose-sides]");
          }}
        >
          let surety choose
        </button>
      </div>
      {chosen.some((s) => s.length === 0) && <p class="error-text">a side without components is left out</p>}
    </fieldset>
  );
}

const splitLast = (sides: SidesOf): SidesOf => {
  const last = sides[sides.length - 1]!;
  const half = Math.ceil(last.length / 2);
  return [last.slice(0, half), last.slice(half)];
};
