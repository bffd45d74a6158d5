// The player: steps back and forth, and plays. While a run goes on, its end moves on by itself, and who stands there goes
// with it.
import { useEffect, useState } from "preact/hooks";
import { change, state } from "../store";

const kSpeeds = [0.5, 1, 2, 4, 8];
const kStep = 900; // ms between two steps at ×1
const kFar = 10;

// Nothing chosen: the end, wherever that is.
export const cursor = (length: number): number => Math.max(0, Math.min(state.conjecture ?? length - 1, length - 1));

export function goTo(index: number, length: number): void {
  change((s) => (s.conjecture = Math.max(0, Math.min(index, length - 1))));
}

export const goToEnd = (): void => change((s) => (s.conjecture = undefined));

// What a key does; false: nothing.
export function playerKey(key: string, length: number, toggle: () => void): boolean {
  const at = cursor(length);
  if (key === "ArrowLeft") goTo(at - 1, length);
  else if (key === "ArrowRight") goTo(at + 1, length);
  else if (key === "PageUp") goTo(at - kFar, length);
  else if (key === "PageDown") goTo(at + kFar, length);
  else if (key === "Home") goTo(0, length);
  else if (key === "End") goToEnd();
  else if (key === " ") toggle();
  else return false;
  return true;
}

export interface Playing {
  on: boolean;
  speed: number;
  toggle: () => void;
  faster: () => void;
}

// Plays to the end, and from the beginning if it is there.
export function usePlaying(length: number): Playing {
  const [on, setOn] = useState(false);
  const [speed, setSpeed] = useState(1);
  useEffect(() => {
    if (!on) return;
    const timer = setInterval(() => {
      const at = cursor(length);
      if (at + 1 < length) goTo(at + 1, length);
      else setOn(false);
    }, kStep / speed);
    return () => clearInterval(timer);
  }, [on, speed, length]);
  const toggle = (): void => {
    if (!on && cursor(length) === length - 1) goTo(0, length);
    setOn(!on);
  };
  const faster = (): void => setSpeed(kSpeeds[(kSpeeds.indexOf(speed) + 1) % kSpeeds.length]!);
  return { on, speed, toggle, faster };
}

export function Player({ length, playing, live, said }: { length: number; playing: Playing; live: boolean; said: string }) {
  const at = cursor(length);
  return (
    <div class="player bar" role="toolbar" aria-label="player">
      <button type="button" aria-label="step back" title="step back (←)" aria-disabled={at === 0} onClick={() => goTo(at - 1, length)}>
        ◀
      </button>
      <button type="button" aria-label="step forth" title="step forth (→)" aria-disabled={at + 1 >= length} onClick={() => at + 1 < length && goTo(at + 1, length)}>
        ▶
      </button>
      <button type="button" aria-pressed={playing.on} title="play, or stop (Space)" onClick={playing.toggle}>
        {playing.on ? "❚❚ stop" : "▷ play"}
      </button>
      <button type="button" aria-label={`speed ×${playing.speed}`} title="another speed" onClick={playing.faster}>
        ×{playing.speed}
      </button>
      <output class="player-said">{said}</output>
      {live && (
        <button type="button" aria-pressed={state.conjecture === undefined} onClick={goToEnd} title="go with the end of the run (End)">
          live
        </button>
      )}
    </div>
  );
}
