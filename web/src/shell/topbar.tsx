// The bar above: the file, the constants of its model, the system, and what is done with all of it.
import { abortAll, discardDraft, runAll, saveFile, setDefine, setSystem } from "../actions";
import { changeable } from "../constants";
import { lastName } from "../format";
import { hasModel } from "../language";
import { anyRunning } from "../runs";
import { change, useStore } from "../store";
import { nextScheme } from "./scheme";

const kShown = 3; // constants beside each other; the rest is behind a button

function Constant({ name, value, isChanged }: { name: string; value: number | string; isChanged: boolean }) {
  const id = `constant-${name}`;
  const set = (v: number | string) => setDefine(name, v);
  return (
    <span class={isChanged ? "constant changed" : "constant"} role="group" aria-label={`constant ${name}`}>
      <label for={id} title={name}>
        {name}
      </label>
      {typeof value === "number" && (
        <button aria-label={`${name} less one`} onClick={() => set(value - 1)}>
          −
        </button>
      )}
      <input
        id={id}
        value={String(value)}
        style={{ width: `${Math.max(2, String(value).length) + 2}ch` }}
        inputMode={typeof value === "number" ? "numeric" : "text"}
        onChange={(e) => {
          const text = e.currentTarget.value.trim();
          if (typeof value === "number" && !/^-?\d+$/.test(text)) e.currentTarget.value = String(value);
          else set(typeof value === "number" ? Number(text) : text);
        }}
      />
      {typeof value === "number" && (
        <button aria-label={`${name} plus one`} onClick={() => set(value + 1)}>
          +
        </button>
      )}
      {isChanged && (
        <button class="plain" title={`${name} as the text has it`} aria-label={`${name} as the text has it`} onClick={() => setDefine(name, undefined)}>
          ↺
        </button>
      )}
    </span>
  );
}

function Constants() {
  const system = useStore((s) => s.known);
  const define = useStore((s) => s.define);
  const all: Record<string, number | string> = { ...changeable(system), ...define };
  const names = Object.keys(all).sort((a, b) => Number(b in define) - Number(a in define));
  const one = (name: string) => <Constant key={name} name={name} value={all[name]!} isChanged={name in define} />;
  return (
    <>
      {names.slice(0, kShown).map(one)}
      {names.length > kShown && (
        <details class="more">
          <summary>{names.length - kShown} more constants</summary>
          <div class="popover">{names.slice(kShown).map(one)}</div>
        </details>
      )}
    </>
  );
}

function System() {
  const system = useStore((s) => s.known);
  const chosen = useStore((s) => s.system);
  if (system === undefined) return null;
  const systems = system.systems ?? [];
  if (systems.length < 2) return <span class="dim system-name">
        <span class="word">system </span>
        {system.system}
      </span>;
  return (
    <label class="system-name">
      <span class="word">system </span>
      <select
        aria-label="system"
        value={chosen ?? system.system}
        onChange={(e) => void setSystem(e.currentTarget.value)}
      >
        {systems.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function FileName() {
  const doc = useStore((s) => s.doc);
  const readOnly = useStore((s) => s.hello?.read_only ?? false);
  if (doc === undefined) return <span class="dim">no file</span>;
  const isDirty = doc.text !== doc.saved;
  return (
    <>
      <span class="file-name" title={doc.path}>
        {lastName(doc.path)}
        {isDirty && (
          <span class="dirty" title="not saved" aria-label="not saved">
            {" "}
            ●
          </span>
        )}
      </span>
      {isDirty && !readOnly && (
        <button onClick={() => void saveFile()} title="Ctrl-S">
          {doc.readOnly ? "save as…" : "save"}
        </button>
      )}
      {isDirty && (
        <button class="plain" onClick={() => void discardDraft()} title="back to what is on disk">
          discard
        </button>
      )}
      {readOnly ? <span class="tag">read-only</span> : doc.readOnly && !isDirty && <span class="tag">example</span>}
    </>
  );
}

const kSchemes = { auto: "◐", light: "☀", dark: "☾" } as const;

export function TopBar() {
  const scheme = useStore((s) => s.scheme);
  const canCheck = useStore((s) => s.doc !== undefined && hasModel(s.doc.language));
  const isRunning = useStore(() => anyRunning());
  return (
    <header class="top-bar">
      <h1>surety</h1>
      <FileName />
      <Constants />
      <System />
      <span class="spring" />
      <button class="first" disabled={!canCheck} onClick={() => void runAll()} title="check all (Ctrl-Enter)">
        ▸ check all
      </button>
      <button disabled={!isRunning} onClick={abortAll} title="abort all (Esc)" aria-label="abort all">
        ■
      </button>
      <button class="plain" onClick={() => change((s) => (s.dialog = "palette"))} title="all commands (Ctrl-K)" aria-label="all commands">
        ⌘
      </button>
      <button class="plain" onClick={nextScheme} title={`colours: ${scheme}`} aria-label={`colours: ${scheme}; change`}>
        {kSchemes[scheme]}
      </button>
      <button class="plain" onClick={() => change((s) => (s.dialog = "help"))} title="help (?)" aria-label="help">
        ?
      </button>
    </header>
  );
}
