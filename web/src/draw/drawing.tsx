// A machine as a picture, wherever the page shows one: Draw, Animate, Proof, Compare.
//
//   <Drawing title="ORDER" lts={lts} marked={[3]} glow="send" hidden={new Set(["tau"])} onOpen={(s) => …} />
//   <Drawing title="conjecture 12" lts={named(conjecture.lts, recording.names)} places={places} diff={…} path={…} />
// Objects are compared by identity: a new `lts`, `hidden`, `diff`, `path`, `places` or `text` is a new drawing (useMemo).
//
// Up to 1,000 states it is SVG, up to 10,000 a canvas, above that a sentence with the ways out (`otherwise`). Without
// `places` the machine is laid out by Graphviz in a Worker. With `places` nothing is laid out: a state stands where it is
// told, steps are our own curves; when `places` change and the number of states is small, states move there in 200 ms (at
// once with reduced motion). `places` that lack some states are where the layout starts (`neato`), so that a conjecture
// that comes live keeps the old places nearly.
// `layOut(lts)` of layout.ts gives the places of a machine without drawing it: Proof asks for those of an epoch's last
// conjecture and gives earlier states the places of their heirs.
// Pan, zoom, drag, pin, fit and the keys (arrows, Enter, P, + - 0) are in the drawing; it fills the element around it.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { Lts } from "../types";
import type { Places } from "./graph";
import { kCanvas, kSvg } from "./layout";
import { Picture } from "./picture";
import type { Before } from "./picture";

export type Step = [from: number, action: string, to: number];

export interface Diff {
  newStates?: readonly number[]; // yellow, with a +
  newSteps?: readonly Step[]; // blue
  movedSteps?: readonly Step[]; // blue, with another dash: they led elsewhere
  goingSteps?: readonly Step[]; // red and dashed: the next one does not have them
}

export interface DrawingProps {
  title: string; // the accessible name: what is drawn
  lts: Lts; // a new object is a new drawing; `named` of graph.ts makes one from an event's
  marked?: readonly number[]; // filled: where the current moment is
  glow?: string; // an action whose steps are to be found
  hidden?: ReadonlySet<string>; // actions whose steps are not drawn
  places?: Places; // Map of state to {x, y}
  room?: Places; // of all the pictures that this one is one of: as far as they can be read, the view is that of all
  diff?: Diff;
  path?: readonly Step[]; // thick, in this order: the way of a word
  of?: number; // the drawing is a part of so many states: said all the time
  center?: number; // the state that the order of distance begins with; nothing: the initial one
  open?: readonly number[]; // states of the rim: they have neighbours that are not drawn
  text?: readonly string[]; // written in the states instead of their numbers
  small?: boolean; // no tools, no keys of its own: one of many pictures
  pins?: string; // under which name places that a hand has chosen are kept; nothing: they are forgotten
  onOpen?: (state: number) => void; // Enter or a click on a state
  onPlaces?: (places: Places) => void; // after each layout
  otherwise?: ComponentChildren; // instead of a drawing of too many states
  tools?: (tools: Tools) => void; // gives what the buttons outside need
}

export interface Tools {
  fit(): void;
  svg(): string | undefined; // the text of an SVG file, in light colours
}

// A bar for what takes long. Graphviz does not tell how far it is: the time is estimated by the size.
function Busy({ of, stop }: { of: { states: number; arcs: number }; stop: () => void }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const began = performance.now();
    const timer = setInterval(() => setSeconds((performance.now() - began) / 1_000), 200);
    return () => clearInterval(timer);
  }, [of]);
  if (seconds < 0.4) return null; // most are there before
  const expected = Math.max(1, of.states * 0.0006 + of.arcs * 0.00006);
  return (
    <div class="drawing-busy" role="status">
      <label>
        laying out {of.states.toLocaleString("en")} states, {seconds.toFixed(0)} s{seconds < expected && ` of about ${Math.ceil(expected)} s`}{" "}
        <progress max={1} value={1 - Math.exp(-seconds / expected)} />
      </label>{" "}
      <button onClick={stop}>stop</button>
    </div>
  );
}

const kLegend = [
  ["newStates", "fresh", "+ new state"],
  ["newSteps", "new", "new step"],
  ["movedSteps", "moved", "led elsewhere"],
  ["goingSteps", "going", "will go"],
] as const;

function Legend({ diff, path }: { diff?: Diff; path?: readonly Step[] }) {
  const shown = kLegend.filter(([member]) => (diff?.[member]?.length ?? 0) > 0);
  if (shown.length === 0 && !path?.length) return null;
  return (
    <ul class="drawing-legend" aria-label="what the lines mean">
      {shown.map(([member, name, text]) => (
        <li key={member} class={name}>
          {text}
        </li>
      ))}
      {path?.length ? <li class="path">the word's way</li> : null}
    </ul>
  );
}

// What can be drawn: nothing if there are too many states, or if their steps are not known.
export const canDraw = (lts: Lts): boolean => lts.steps !== undefined && !lts.too_large && lts.states <= kCanvas;

export function Drawing(props: DrawingProps) {
  const { lts, hidden, diff, path, places, text, small, of } = props;
  const box = useRef<HTMLDivElement>(null);
  const picture = useRef<Picture | undefined>(undefined);
  const stood = useRef<Before | undefined>(undefined);
  const [busy, setBusy] = useState<{ states: number; arcs: number }>();
  const [stopped, setStopped] = useState(false);
  const [trouble, setTrouble] = useState("");
  const [said, say] = useState("");
  const drawable = canDraw(lts);

  useEffect(() => {
    if (!drawable || stopped || box.current === null) return;
    setTrouble("");
    const made = new Picture(box.current, props, { busy: setBusy, trouble: setTrouble, say }, places && stood.current);
    picture.current = made;
    props.tools?.({ fit: () => made.fit(), svg: () => made.svg() });
    return () => {
      stood.current = places && made.before();
      made.end();
      picture.current = undefined;
    };
  }, [lts, hidden, diff, path, places, text, stopped]);
  useEffect(() => setStopped(false), [lts, hidden]);
  useEffect(() => picture.current?.change(props));

  if (!drawable) return <>{props.otherwise ?? <p class="empty">{tooLarge(lts)}</p>}</>;
  if (stopped)
    return (
      <div class="empty">
        <p>Stopped: {lts.states.toLocaleString("en")} states are not drawn.</p>
        <button onClick={() => setStopped(false)}>draw them</button>
        {props.otherwise}
      </div>
    );
  const stop = (): void => {
    picture.current?.halt();
    setBusy(undefined);
    setStopped(true);
  };
  return (
    <div class={small ? "drawing small" : "drawing"}>
      <div class={lts.states > kSvg ? "drawing-box dots" : "drawing-box"} ref={box} />
      {of !== undefined && (
        <p class="drawing-part">
          part of {of.toLocaleString("en")} states: {lts.states.toLocaleString("en")} are drawn
        </p>
      )}
      {!small && (
        <div class="drawing-tools" role="group" aria-label="zoom">
          <span class="drawing-hint">labels show from nearer</span>
          <button aria-label="zoom in" title="zoom in (+)" onClick={() => picture.current?.zoom(1.25)}>
            +
          </button>
          <button aria-label="zoom out" title="zoom out (-)" onClick={() => picture.current?.zoom(0.8)}>
            −
          </button>
          <button aria-label="fit" title="fit (0)" onClick={() => picture.current?.fit()}>
            ⤢
          </button>
        </div>
      )}
      <Legend diff={diff} path={path} />
      {trouble !== "" && <p class="drawing-trouble error-text">no layout: {trouble}</p>}
      {busy !== undefined && <Busy of={busy} stop={stop} />}
      {!small && (
        <p class={lts.states > kSvg ? "drawing-said" : "unseen"} aria-live="polite">
          {said}
        </p>
      )}
    </div>
  );
}

export const tooLarge = (lts: Lts): string =>
  lts.states > kCanvas
    ? `${lts.states.toLocaleString("en")} states are too many for a drawing.`
    : `${lts.states.toLocaleString("en")} states: their steps were not told.`;
