// Which actions are not drawn: a list with ticks and a filter.
import { useState } from "preact/hooks";
import { Unfold } from "./unfold";

const kShown = 200;

export function Hide({
  actions,
  hidden,
  set,
}: {
  actions: readonly string[];
  hidden: ReadonlySet<string>;
  set: (hidden: ReadonlySet<string>) => void;
}) {
  const [filter, setFilter] = useState("");
  const found = actions.filter((a) => a.includes(filter));
  const tick = (action: string, shown: boolean): void => {
    const next = new Set(hidden);
    if (shown) next.delete(action);
    else next.add(action);
    set(next);
  };
  const all = (shown: boolean): void => {
    const next = new Set(hidden);
    for (const a of found)
      if (shown) next.delete(a);
      else next.add(a);
    set(next);
  };
  const count = actions.filter((a) => hidden.has(a)).length;
  return (
    <Unfold title={count === 0 ? "hide actions" : `${count} hidden`} class="hide-actions">
      <input
        type="search"
        aria-label="which actions"
        placeholder="which actions"
        value={filter}
        onInput={(e) => setFilter(e.currentTarget.value)}
      />
      <div class="bar">
        <button onClick={() => all(true)}>show these</button>
        <button onClick={() => all(false)}>hide these</button>
      </div>
      {found.slice(0, kShown).map((a) => (
        <label key={a}>
          <input type="checkbox" checked={!hidden.has(a)} onChange={(e) => tick(a, e.currentTarget.checked)} /> {a}
        </label>
      ))}
      {found.length > kShown && <p class="dim">and {found.length - kShown} more</p>}
      {found.length === 0 && <p class="dim">none</p>}
    </Unfold>
  );
}
