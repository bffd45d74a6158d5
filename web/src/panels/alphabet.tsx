// Alphabet: who shares which action, as a matrix; and each alphabet in LTSA's short form.
import { useMemo } from "preact/hooks";
import { showMachine } from "../actions";
import { useKept, useKeptHere, useQuiet } from "../draw/kept";
import { LongTable } from "../draw/long-table";
import { filtered, sharing, shortForm } from "../draw/sharing";
import type { Sharing, SharingFilter } from "../draw/sharing";
import { NoSystem } from "../shell/no-system";
import { useStore } from "../store";

const kAll: SharingFilter = { text: "", shared: false };

function Matrix({ of, filter, set }: { of: Sharing; filter: SharingFilter; set: (filter: SharingFilter) => void }) {
  const rows = useMemo(() => filtered(of, filter), [of, filter]);
  return (
    <div class="sharing">
      <LongTable
        label="who has which action"
        columns={of.machines.length + 1}
        rows={rows.length}
        head={
          <>
            <th scope="col">
              {rows.length.toLocaleString("en")} action{rows.length === 1 ? "" : "s"}
            </th>
            {of.machines.map((m, i) => (
              <th scope="col" key={i} class={m.property ? "upright property" : "upright"}>
                <button
                  class="plain"
                  aria-pressed={filter.machine === i}
                  title={`only what ${m.name} has`}
                  onClick={() => set({ ...filter, machine: filter.machine === i ? undefined : i })}
                >
                  {m.property && <span class="unseen">property </span>}
                  {m.name}
                </button>
              </th>
            ))}
          </>
        }
        row={(i) => {
          const row = rows[i]!;
          return {
            class: row.count === 0 ? "alone" : undefined,
            cells: (
              <>
                <th scope="row" class="mono" title={row.action}>
                  {row.action}
                </th>
                {row.who.map((has, m) => (
                  <td key={m} class="has">
                    {has && (
                      <span aria-label="has it" role="img">
                        {of.machines[m]!.property ? "◆" : "●"}
                      </span>
                    )}
                  </td>
                ))}
              </>
            ),
          };
        }}
      />
    </div>
  );
}

function ShortForms({ of, filter }: { of: Sharing; filter: SharingFilter }) {
  const { text, machine } = filter;
  const forms = useMemo(
    () => of.machines.map((_, i) => ({ all: shortForm(of, i), count: of.rows.filter((r) => r.who[i]).length })),
    [of],
  );
  return (
    <dl class="short-forms">
      {of.machines.map((m, i) => {
        if (machine !== undefined && machine !== i) return null;
        const shown = forms[i]!.all.filter((item) => item.includes(text));
        return (
          <div key={i}>
            <dt>
              <button class="plain link" title="draw it" onClick={() => showMachine(m.name)}>
                {m.name}
              </button>{" "}
              <span class="dim">
                {m.property && "property, "}
                {forms[i]!.count} action{forms[i]!.count === 1 ? "" : "s"}
              </span>
            </dt>
            <dd class="mono">
              {"{"}
              {shown.join(", ")}
              {"}"}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}

export function Alphabet() {
  const system = useStore((s) => s.model?.system);
  const [filter, set] = useKeptHere<SharingFilter>("alphabet filter", kAll);
  const [short, setShort] = useKept("alphabet short", false);
  const text = useQuiet(filter.text);
  const of = useMemo(() => system && sharing(system), [system]);
  const quiet = useMemo(() => ({ ...filter, text }), [text, filter.machine, filter.shared]);
  if (of === undefined) return <NoSystem otherwise="Without them its alphabets are here." />;
  const machine = filter.machine !== undefined && filter.machine < of.machines.length ? filter.machine : undefined;
  const now = { ...quiet, machine };
  return (
    <div class="machine-panel">
      <div class="bar machine-bar">
        <div class="bar" role="group" aria-label="form">
          <button aria-pressed={!short} onClick={() => setShort(false)}>
            who shares what
          </button>
          <button aria-pressed={short} onClick={() => setShort(true)}>
            short form
          </button>
        </div>
        <input
          type="search"
          aria-label="filter"
          placeholder="part of a name"
          value={filter.text}
          onInput={(e) => set({ ...filter, text: e.currentTarget.value.trim() })}
        />
        {!short && (
          <label>
            <input type="checkbox" checked={filter.shared} onChange={(e) => set({ ...filter, shared: e.currentTarget.checked })} />{" "}
            shared only
          </label>
        )}
        {machine !== undefined && (
          <button onClick={() => set({ ...filter, machine: undefined })}>all, not only {of.machines[machine]!.name}</button>
        )}
      </div>
      {short ? <ShortForms of={of} filter={now} /> : <Matrix of={of} filter={now} set={set} />}
    </div>
  );
}
