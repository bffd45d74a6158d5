// Draw: a machine as a picture. Which one, minimised or not; an action to be found; actions that are hidden; the
// neighbourhood of a state; files. States of the present moment are filled.
import { useEffect, useMemo, useRef } from "preact/hooks";
import { showPanel } from "../actions";
import { Chooser, MinimiseChoice } from "../draw/chooser";
import { canDraw, Drawing, tooLarge } from "../draw/drawing";
import type { Tools } from "../draw/drawing";
import { warm } from "../draw/graphviz";
import { Hide } from "../draw/hide";
import { useKept, useKeptHere } from "../draw/kept";
import { isAssumption, useMachine } from "../draw/machines";
import type { Machine, Minimise } from "../draw/machines";
import { NearView } from "../draw/near-view";
import type { Range } from "../draw/near";
import { SaveMenu } from "../draw/save-menu";
import { NoSystem } from "../shell/no-system";
import { useStore, presentWalk } from "../store";
import { markedIn } from "../trace/now";

const kNone: ReadonlySet<string> = new Set();
const count = (n: number, what: string): string => `${n.toLocaleString("en")} ${what}${n === 1 ? "" : "s"}`;

// What is said of a machine under its picture.
function Facts({ machine, glow }: { machine: Machine; glow: string }) {
  const found = useMemo(
    () => (glow === "" ? undefined : machine.steps?.filter((s) => s[1] === glow).length),
    [machine, glow],
  );
  return (
    <p class="facts dim">
      {machine.kind ?? "machine"}: {count(machine.states, "state")}
      {machine.transitions !== undefined && `, ${count(machine.transitions, "step")}`}
      {machine.alphabet.length > 0 && `, ${count(machine.alphabet.length, "action")}`}
      {typeof machine.error === "number" && `; state ${machine.error} is the error`}
      {found !== undefined && (
        <strong class="found" role="status">
          {" "}
          {glow}: {found === 0 ? "no steps" : count(found, "step")}
        </strong>
      )}{" "}
      <button class="plain link" onClick={() => showPanel("transitions")}>
        as a table
      </button>
    </p>
  );
}

function Otherwise({ machine, minimise, near }: { machine: Machine; minimise: Minimise; near: (() => void) | undefined }) {
  const system = useStore((s) => s.model?.system);
  return (
    <div class="empty">
      {!canDraw(machine) && (
        <p>
          {machine.why !== undefined
            ? `${machine.name} was not built: stopped by ${machine.why}${machine.at_least ? ` after ${count(machine.at_least, "state")}` : ""}. A check needs no such machine.`
            : tooLarge(machine)}
        </p>
      )}
      <p>What can be seen:</p>
      <ul>
        {minimise === "" && <li>the machine minimised: choose how, above</li>}
        {machine.name === system?.whole && <li>one of its components: choose it above</li>}
        <li>the part that some actions see: hide the others in the text (\ {"{"}…{"}"}) and minimise weakly</li>
        {near && (
          <li>
            <button onClick={near}>the neighbourhood of a state</button>
          </li>
        )}
        {machine.why === undefined && (
          <li>
            <button onClick={() => showPanel("transitions")}>the table of its steps</button>
          </li>
        )}
      </ul>
    </div>
  );
}

export function Draw() {
  const name = useStore((s) => s.machine);
  const system = useStore((s) => s.model?.system);
  const walk = useStore(presentWalk);
  const [chosen, setMinimise] = useKept<Minimise>("draw minimise", "");
  const given = isAssumption(name); // as it was found
  const minimise = given ? "" : chosen;
  const [glow, setGlow] = useKeptHere("draw glow", "");
  const [hidden, setHidden] = useKeptHere<ReadonlySet<string>>(`draw hidden ${name}`, kNone);
  const [range, setRange] = useKeptHere<Range | undefined>(`draw near ${name} ${minimise}`, undefined);
  const [withNames, setWithNames] = useKept("draw names", false);
  const tools = useRef<Tools | undefined>(undefined);
  useEffect(warm, []);
  const { machine, trouble } = useMachine(name, minimise);
  const marked = useMemo(
    () => (machine === undefined || minimise !== "" ? [] : markedIn(machine, walk, system)),
    [machine, minimise, walk, system],
  );
  const named = machine?.names?.some((n) => n !== null) ?? false;
  const text = useMemo(
    () => (withNames && named ? machine!.names!.map((n, s) => n ?? String(s)) : undefined),
    [machine, withNames, named],
  );

  if (system === undefined && machine === undefined)
    return <NoSystem otherwise="Without them its machines are drawn here." />;
  const drawable = machine !== undefined && canDraw(machine);
  const near = (state: number): void => setRange({ state, radius: 2, both: false });
  const actions = machine?.alphabet ?? [];
  const glowing = actions.includes(glow) || glow === "tau" ? glow : undefined;
  return (
    <div class="machine-panel">
      <div class="bar machine-bar">
        <Chooser panel="draw" />
        {!given && <MinimiseChoice value={minimise} choose={setMinimise} />}
        <label>
          <span class="unseen">find an action</span>
          <input
            type="search"
            class="find-action"
            list="actions-here"
            placeholder="find an action"
            value={glow}
            onInput={(e) => setGlow(e.currentTarget.value.trim())}
          />
        </label>
        <datalist id="actions-here">
          {actions.slice(0, 500).map((a) => (
            <option key={a} value={a} />
          ))}
        </datalist>
        <Hide actions={machine?.steps?.some((s) => s[1] === "tau") ? ["tau", ...actions] : actions} hidden={hidden} set={setHidden} />
        {named && (
          <label>
            <input type="checkbox" checked={withNames} onChange={(e) => setWithNames(e.currentTarget.checked)} /> names
          </label>
        )}
        {drawable && range === undefined && <button onClick={() => near(marked[0] ?? 0)}>near a state</button>}
        {machine?.steps && <SaveMenu machine={machine} svg={() => tools.current?.svg()} />}
      </div>
      <div class="machine-picture">
        {trouble !== undefined && <p class="empty error-text">{trouble}</p>}
        {machine !== undefined && range !== undefined && (
          <NearView
            machine={machine}
            minimise={minimise}
            range={range}
            set={setRange}
            back={drawable}
            glow={glowing}
            hidden={hidden}
            marked={marked}
            withNames={withNames}
            tools={(t) => (tools.current = t)}
          />
        )}
        {machine !== undefined && range === undefined && (
          <Drawing
            title={machine.name}
            lts={machine}
            marked={marked}
            glow={glowing}
            hidden={hidden}
            text={text}
            pins={`${system?.system ?? ""} ${machine.name} ${minimise}${text === undefined ? "" : " names"}`}
            tools={(t) => (tools.current = t)}
            onOpen={near}
            otherwise={
              <Otherwise machine={machine} minimise={minimise} near={machine.why === undefined ? () => near(0) : undefined} />
            }
          />
        )}
        {machine === undefined && trouble === undefined && <p class="empty" data-busy="">
            …
          </p>}
      </div>
      {machine !== undefined && machine.why === undefined && <Facts machine={machine} glow={glow} />}
    </div>
  );
}
