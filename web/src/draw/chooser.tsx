// Which machine is shown: Draw and Transitions have the same one.
import { showMachine } from "../actions";
import { change, rowOf, useStore } from "../store";
import type { PanelName } from "../store";
import { choices, kMinimise } from "./machines";
import type { Minimise } from "./machines";

export function Chooser({ panel }: { panel: PanelName }) {
  const system = useStore((s) => s.known); // while the text has errors, too
  const row = useStore((s) => rowOf(s));
  const shown = useStore((s) => s.machine);
  const groups = choices(system, row);
  const choose = (name: string): void => {
    if (panel === "draw") showMachine(name);
    else change((s) => (s.machine = name));
  };
  return (
    <label>
      <span class="unseen">machine</span>
      <select value={shown ?? ""} onChange={(e) => choose(e.currentTarget.value)}>
        {shown === undefined && <option value="">machine …</option>}
        {groups.map((g) => (
          <optgroup key={g.group} label={g.group}>
            {g.names.map((n) => (
              <option key={n} value={n}>
                {n}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  );
}

const kTexts: Record<Minimise, string> = {
  "": "as it is",
  strong: "minimised, strong",
  weak: "minimised, weak",
  trace: "minimised, traces",
  ltsa: "minimised as LTSA does",
};

export function MinimiseChoice({ value, choose }: { value: Minimise; choose: (value: Minimise) => void }) {
  return (
    <label>
      <span class="unseen">minimise</span>
      <select value={value} onChange={(e) => choose(e.currentTarget.value as Minimise)}>
        {kMinimise.map((m) => (
          <option key={m} value={m}>
            {kTexts[m]}
          </option>
        ))}
      </select>
    </label>
  );
}
