// Several methods beside each other (auto): a bar for each, with what it has come to. A click shows what a lane has told.
import { methodName } from "./words";
import type { Bar } from "./bars";

const kSign = { running: "◌", answered: "✓", stopped: "·" } as const;

export function Race({ bars, shown, onPick }: { bars: Bar[]; shown: number; onPick: (lane: number) => void }) {
  return (
    <fieldset class="race">
      <legend>race</legend>
      {bars.map((bar) => (
        <label key={bar.lane} class={`race-lane is-${bar.is}`}>
          <input type="radio" name="lane" checked={bar.lane === shown} onChange={() => onPick(bar.lane)} />
          <span class="race-name">
            <span aria-hidden="true">{kSign[bar.is]} </span>
            {methodName(bar.method)}
            {bar.lane === 0 && bars.length > 1 ? ", first try" : ""}
          </span>
          <Meter width={bar.width} />
          <span class="race-said">
            {bar.said}
            {bar.result !== "" && <span class="dim">, {bar.result}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

// A bar without numbers: the words beside it have them.
export function Meter({ width, kind = "" }: { width: number; kind?: string }) {
  return (
    <svg class={`meter ${kind}`} viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
      <rect class="meter-ground" x="0" y="0" width="100" height="8" />
      <rect class="meter-bar" x="0" y="0" width={Math.max(0.5, 100 * width)} height="8" />
    </svg>
  );
}
