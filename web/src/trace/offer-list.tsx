// What can happen, as buttons in groups, and what cannot, with its reason. Ticks say what a random walk may take.
import { take } from "./animator";
import type { Group, Offer } from "./offers";

export interface Ticking {
  ticks: boolean;
  unticked: ReadonlySet<string>;
  setUnticked: (unticked: ReadonlySet<string>) => void;
}

const withTicks = (t: Ticking, actions: readonly string[], on: boolean): void => {
  const next = new Set(t.unticked);
  for (const a of actions)
    if (on) next.delete(a);
    else next.add(a);
  t.setUnticked(next);
};

function Tick({ action, ticking }: { action: string; ticking: Ticking }) {
  if (!ticking.ticks) return null;
  return (
    <input
      type="checkbox"
      aria-label={`${action} may be taken at random`}
      title="may be taken at random"
      checked={!ticking.unticked.has(action)}
      onChange={(e) => withTicks(ticking, [action], e.currentTarget.checked)}
    />
  );
}

function OfferButton({ offer, ticking }: { offer: Offer; ticking: Ticking }) {
  const { action, move, key, which, who } = offer;
  return (
    <div class="offer">
      <Tick action={action} ticking={ticking} />
      <button title={who.join(", ")} aria-keyshortcuts={key} onClick={() => void take(move!)}>
        {key !== undefined && <kbd>{key}</kbd>}
        <span class="offer-action">{move!.statement !== undefined && action === "tau" ? move!.statement : action}</span>
        {which !== undefined && <span class="which"> {which}</span>}
        {move!.hidden && <span class="dim"> hidden</span>}
        {move!.violates && move!.violates.length > 0 && <em class="violated"> ✗ violates {move!.violates.join(", ")}</em>}
        {move!.error !== undefined && <em class="violated"> ✗ {move!.error}</em>}
        {who.length > 1 && <span class="dim who"> {who.join(", ")}</span>}
      </button>
    </div>
  );
}

// What can happen as buttons; what cannot, in grey with its reason, under them.
export function Offers({ groups, ticking }: { groups: readonly Group[]; ticking: Ticking }) {
  const split = (now: boolean): Group[] =>
    groups
      .map((g) => ({ ...g, offers: g.offers.filter((o) => (o.move !== undefined) === now) }))
      .filter((g) => g.offers.length > 0);
  const [enabled, others] = [split(true), split(false)];
  const head = (g: Group) => {
    const all = groups.find((other) => other.name === g.name)!.offers.map((o) => o.action);
    const some = all.some((a) => ticking.unticked.has(a));
    return (
      <legend>
        {g.name}{" "}
        {ticking.ticks && (
          <button class="plain link" onClick={() => withTicks(ticking, all, some)}>
            {some ? "tick all" : "untick all"}
          </button>
        )}
      </legend>
    );
  };
  return (
    <div class="offers">
      {enabled.map((g) => (
        <fieldset key={g.name}>
          {head(g)}
          {g.offers.map((o, i) => (
            <OfferButton key={`${o.action} ${i}`} offer={o} ticking={ticking} />
          ))}
        </fieldset>
      ))}
      {enabled.length === 0 && <p class="dim">Nothing can happen.</p>}
      {others.map((g) => (
        <fieldset key={g.name} class="others">
          {head(g)}
          <ul>
            {g.offers.map((o) => (
              <li key={o.action}>
                <Tick action={o.action} ticking={ticking} />
                <span class="mono">{o.action}</span> <span class="why">{o.why}</span>
              </li>
            ))}
          </ul>
        </fieldset>
      ))}
    </div>
  );
}
