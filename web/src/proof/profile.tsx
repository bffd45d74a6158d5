// A search as a growing profile: states that were reached, and memory, over the time. It is sampled five times a second.
import { bytes, count, plural, seconds } from "../format";
import type { Sample } from "../recording";

const kWidth = 480;
const kHeight = 150;
const kLeft = 8;

// Points of a line: samples, from nothing at the beginning.
export function outline(samples: readonly Sample[], value: (s: Sample) => number, end: number, most: number): string {
  const x = (t: number): number => kLeft + (t / end) * (kWidth - 2 * kLeft);
  const y = (v: number): number => kHeight - (v / most) * (kHeight - 10);
  return [`${x(0)},${y(0)}`, ...samples.map((s) => `${x(s.t).toFixed(1)},${y(value(s)).toFixed(1)}`)].join(" ");
}

export function Profile({ samples, what, running }: { samples: readonly Sample[]; what: string; running: boolean }) {
  const last = samples.at(-1);
  if (last === undefined)
    return <p class="dim">{running ? "nothing to see in the first fifth of a second" : "it was too quick to be watched: it is sampled five times a second"}</p>;
  const end = Math.max(0.2, last.t);
  const most = Math.max(1, ...samples.map((s) => s.states));
  const memory = Math.max(1, ...samples.map((s) => s.memory));
  const states = outline(samples, (s) => s.states, end, most);
  return (
    <figure class="profile">
      <svg viewBox={`0 0 ${kWidth} ${kHeight}`} role="img" aria-label={`${what} over the time: ${count(last.states)} after ${seconds(last.t)}`}>
        <polygon class="profile-area" points={`${states} ${(kWidth - kLeft).toFixed(1)},${kHeight} ${kLeft},${kHeight}`} />
        <polyline class="profile-line" points={states} />
        <polyline class="profile-memory" points={outline(samples, (s) => s.memory, end, memory)} />
      </svg>
      <figcaption>
        {plural(last.states, what.replace(/s$/, ""))} after {seconds(last.t)}
        {last.memory > 0 && <span class="dim">, {bytes(last.memory)} of memory (thin line)</span>}
        {last.phase !== "" && <span class="dim">, {last.phase}</span>}
      </figcaption>
    </figure>
  );
}
