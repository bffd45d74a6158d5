// Transitions: the steps of a machine as a table, with a filter. It is also the text of what Draw shows.
import { useMemo } from "preact/hooks";
import { showPanel } from "../actions";
import { Chooser, MinimiseChoice } from "../draw/chooser";
import { keepHere, useKept, useKeptHere, useQuiet } from "../draw/kept";
import { LongTable } from "../draw/long-table";
import { isAssumption, useMachine } from "../draw/machines";
import type { Minimise } from "../draw/machines";
import { useSteps } from "../draw/step-pages";
import { NoSystem } from "../shell/no-system";
import { useStore, presentWalk } from "../store";
import { markedIn } from "../trace/now";

export function Transitions() {
  const name = useStore((s) => s.machine);
  const system = useStore((s) => s.model?.system);
  const walk = useStore(presentWalk);
  const [chosen, setMinimise] = useKept<Minimise>("draw minimise", "");
  const given = isAssumption(name);
  const minimise = given ? "" : chosen;
  const [filter, setFilter] = useKeptHere("transitions filter", "");
  const quiet = useQuiet(filter);
  const { machine, trouble } = useMachine(name, minimise);
  const steps = useSteps(machine, minimise, quiet);
  const marked = useMemo(
    () => new Set(machine === undefined || minimise !== "" ? [] : markedIn(machine, walk, system)),
    [machine, minimise, walk, system],
  );
  if (system === undefined && machine === undefined)
    return <NoSystem otherwise="Without them the steps of its machines are here." />;

  const draw = (state: number): void => {
    keepHere(`draw near ${name} ${minimise}`, { state, radius: 2, both: false });
    showPanel("draw");
  };
  const stateCell = (state: number) => (
    <>
      <td class="number">
        <button class="plain link" title="draw what is near" aria-label={`draw near state ${state}`} onClick={() => draw(state)}>
          {state === machine?.error ? "ERROR" : state === machine?.end ? "END" : state}
        </button>
      </td>
      {machine?.names && (
        <td class="dim state-name" title={machine.names[state] ?? undefined}>
          {machine.names[state]}
        </td>
      )}
    </>
  );
  return (
    <div class="machine-panel">
      <div class="bar machine-bar">
        <Chooser panel="transitions" />
        {!given && <MinimiseChoice value={minimise} choose={setMinimise} />}
        <label>
          <span class="unseen">filter</span>
          <input
            type="search"
            placeholder="action, or a state"
            value={filter}
            onInput={(e) => setFilter(e.currentTarget.value)}
          />
        </label>
        <span class="dim" role="status">
          {machine !== undefined && machine.why === undefined && (
            <>
              {quiet.trim() !== "" && `${steps.count.toLocaleString("en")} of `}
              {(machine.transitions ?? machine.steps?.length ?? 0).toLocaleString("en")} steps,{" "}
              {machine.states.toLocaleString("en")} states
            </>
          )}
        </span>
      </div>
      {(trouble ?? steps.trouble) && <p class="empty error-text">{trouble ?? steps.trouble}</p>}
      {machine?.why !== undefined && <p class="empty">{`${machine.name} was not built: stopped by ${machine.why}.`}</p>}
      {machine !== undefined && machine.why === undefined && (
        <LongTable
          label={`steps of ${machine.name}`}
          columns={machine.names ? 5 : 3}
          head={
            <>
              <th scope="col" colSpan={machine.names ? 2 : 1}>
                from
              </th>
              <th scope="col">action</th>
              <th scope="col" colSpan={machine.names ? 2 : 1}>
                to
              </th>
            </>
          }
          rows={steps.count}
          need={steps.need}
          row={(i) => {
            const step = steps.at(i);
            if (step === undefined) return { cells: <td colSpan={5}>…</td> };
            const here = marked.has(step[0]);
            return {
              class: here ? "here" : undefined,
              cells: (
                <>
                  {stateCell(step[0])}
                  <td class="mono">{step[1]}</td>
                  {stateCell(step[2])}
                </>
              ),
            };
          }}
        />
      )}
    </div>
  );
}
