// How checks are done: the drawer above their list. What it sets are options of the command line.
import type { ComponentChildren } from "preact";
import { setCells, setHow } from "../actions";
import { changeable } from "../constants";
import { change, rowOf, useStore } from "../store";
import type { Options } from "../types";
import { Sides } from "./sides-form";

function Choice({ name, label, values, none }: { name: string; label: string; values: string[]; none: string }) {
  const value = useStore((s) => s.how[name]);
  return (
    <label class="choice">
      {label}
      <select value={String(value ?? "")} onChange={(e) => setHow(name, e.currentTarget.value || undefined)}>
        <option value="">{none}</option>
        {values.map((v) => (
          <option key={v} value={v}>
            {v}
          </option>
        ))}
      </select>
    </label>
  );
}

function Switch({ label, isOn, set, children }: { label: string; isOn: boolean; set: (on: boolean) => void; children?: ComponentChildren }) {
  return (
    <label class="choice switch">
      <input type="checkbox" checked={isOn} onChange={(e) => set(e.currentTarget.checked)} />
      {label}
      {children}
    </label>
  );
}

function Budget({ name, label, hint }: { name: string; label: string; hint: string }) {
  const value = useStore((s) => s.how[name]);
  return (
    <label class="choice">
      {label}
      <input
        value={String(value ?? "")}
        placeholder={hint}
        size={7}
        onChange={(e) => setHow(name, e.currentTarget.value.trim() || undefined)}
      />
    </label>
  );
}

// A constant of an FSP text for all of whose values, from the present one on, there is to be a proof.
function EverySize() {
  const system = useStore((s) => s.known);
  const define = useStore((s) => s.define);
  const chosen = useStore((s) => s.how["all-sizes"]);
  const free = Object.entries(changeable(system)).filter(([name, value]) => typeof value === "number" && !(name in define));
  const values = free.map(([name, value]) => `${name}=${value}..`);
  if (chosen !== undefined && !values.includes(String(chosen))) values.push(String(chosen));
  if (values.length === 0) return null;
  return <Choice name="all-sizes" label="every size" none="only this one" values={values} />;
}

// Options that a method does not have are not offered, so that no line is made that the command refuses.
const has = (options: string[] | undefined, name: string): boolean => options === undefined || options.includes(name);

export function How() {
  const isOpen = useStore((s) => s.howOpen);
  const how = useStore((s) => s.how);
  const methods = useStore((s) => s.hello?.methods);
  const language = useStore((s) => s.doc?.language);
  const spin = useStore((s) => s.hello?.spin ?? false);
  const hasSeed = useStore((s) => (rowOf(s)?.result?.assumptions?.length ?? 0) > 0);
  const seed = useStore((s) => s.seed);
  if (!isOpen) return null;
  const method = String(how.method ?? "auto");
  const about = methods?.find((m) => m.name === method);
  const options = about?.options;
  const isFixed = how.assumption !== undefined;
  return (
    <section class="how" aria-label="how checks are done">
      <label class="choice">
        method
        <select
          value={method}
          onChange={(e) => {
            const chosen = e.currentTarget.value;
            setHow("method", chosen);
            const left = methods?.find((m) => m.name === chosen)?.options;
            for (const name of ["split", "learner", "alphabet", "reduction", "assumption"]) if (!has(left, name)) setHow(name, undefined);
          }}
        >
          {(methods ?? [{ name: "auto" }]).map((m) => (
            <option key={m.name} value={m.name}>
              {m.name}
            </option>
          ))}
        </select>
      </label>
      {about?.about !== undefined && <p class="dim wide">{about.about}</p>}
      {has(options, "learner") && (
        <Choice name="learner" label="learner" none="lstar" values={["lstar-angluin", "kv", "ttt"]} />
      )}
      {has(options, "alphabet") && <Choice name="alphabet" label="alphabet" none="refine" values={["full"]} />}
      {has(options, "reduction") && <Choice name="reduction" label="reduction" none="auto" values={["por", "none"]} />}
      <Choice name="engine" label="engine" none="exact" values={["flavers", ...(spin && language === "promela" ? ["spin"] : [])]} />
      {language === "fsp" && <EverySize />}
      <Budget name="time" label="time" hint="60s" />
      <Budget name="memory" label="memory" hint="no limit" />
      <Budget name="states" label="states" hint="no limit" />
      <Switch label="fair choice" isOn={how.unfair !== true} set={(on) => setHow("unfair", on ? undefined : (true as Options[string]))} />
      {(language === "fsp" || language === "ada") && (
        <Switch label="cells" isOn={how.cells !== undefined} set={setCells} />
      )}
      <Switch label="re-check proofs" isOn={how["no-certify"] !== true} set={(on) => setHow("no-certify", on ? undefined : true)} />
      {has(options, "seed-assumption") && hasSeed && !isFixed && (
        <Switch label="start from the last assumption" isOn={seed} set={(on) => change((s) => (s.seed = on))} />
      )}
      {isFixed && (
        <span class="choice">
          own assumption <code>{String(how.assumption)}</code>
          <button onClick={() => setHow("assumption", undefined)}>without it</button>
        </span>
      )}
      {has(options, "split") && (
        <div class="wide">
          <Sides />
        </div>
      )}
    </section>
  );
}
