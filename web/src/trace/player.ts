// Goes along the shown walk: by keys, by itself, and round its cycle.
import { useEffect, useState } from "preact/hooks";
import { fork, showMoment } from "../actions";
import { state, walkOf } from "../store";

export const kSpeeds = [0.5, 1, 2, 4] as const;

// One moment on. A walk that comes back goes round, if `round` says so.
export function onward(round = false): boolean {
  const walk = walkOf(state);
  if (walk === undefined) return false;
  const end = walk.moments.length - 1;
  if (walk.at < end) showMoment(walk.at + 1);
  else if (round && walk.cycleFrom !== undefined && end > walk.cycleFrom) showMoment(walk.cycleFrom + 1);
  else return false;
  return true;
}

export function backward(): void {
  const walk = walkOf(state);
  if (walk !== undefined) showMoment(walk.at - 1);
}

export function usePlaying(): { playing: boolean; play: (on: boolean) => void; speed: number; setSpeed: (speed: number) => void } {
  const [playing, play] = useState(false);
  const [speed, setSpeed] = useState<number>(1);
  useEffect(() => {
    if (!playing) return;
    const timer = setInterval(() => {
      if (!onward(true)) play(false);
    }, 800 / speed);
    return () => clearInterval(timer);
  }, [playing, speed]);
  return { playing, play, speed, setSpeed };
}

export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

// The keys of Trace. Returns whether it was one.
export function traceKey(e: KeyboardEvent, playing: boolean, play: (on: boolean) => void): boolean {
  const walk = walkOf(state);
  if (walk === undefined || e.ctrlKey || e.altKey || e.metaKey || isTyping(e.target)) return false;
  switch (e.key) {
    case "ArrowRight":
      onward();
      break;
    case "ArrowLeft":
      backward();
      break;
    case "ArrowDown":
      if (e.target instanceof HTMLButtonElement && !e.target.closest(".step-number")) return false;
      onward();
      break;
    case "ArrowUp":
      if (e.target instanceof HTMLButtonElement && !e.target.closest(".step-number")) return false;
      backward();
      break;
    case "Home":
      showMoment(0);
      break;
    case "End":
      showMoment(walk.moments.length - 1);
      break;
    case " ":
      if (e.target instanceof HTMLButtonElement && !e.target.closest(".step-number")) return false; // it presses the button
      play(!playing);
      break;
    case "f":
    case "F":
      fork();
      break;
    default:
      return false;
  }
  e.preventDefault();
  return true;
}
