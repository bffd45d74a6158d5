// Animate: what can happen now as buttons, where each component is as small drawings, back and forward, and walks at random.
import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { fork, showMoment, showPanel } from "../actions";
import { useKept, useKeptHere } from "../draw/kept";
import { machine } from "../draw/machines";
import { NoSystem } from "../shell/no-system";
import { presentWalk, state, useStore, walkOf } from "../store";
import type { Walk } from "../store";
import { begin, randomMove, runUntil, take } from "../trace/animator";
import { fill } from "../trace/fill";
import { endOf, Situation } from "../trace/moment-card";
import { Offers } from "../trace/offer-list";
import { chosenBy, offers } from "../trace/offers";
import { isTyping, kSpeeds } from "../trace/player";
import { SmallMachines } from "../trace/small-machines";
import { labelOf, stepsOf, wrong } from "../trace/steps";
import { WalkTabs } from "../trace/walk-tabs";

const kNone: ReadonlySet<string> = new Set();

// Names of states of components, as far as their machines are here.
function useStateNames(): (name: string, s: number) => string {
  const system = useStore((s) => s.model?.system);
  const [names, setNames] = useState(new Map<string, (string | null)[]>());
  useEffect(() => {
    let old = false;
    const small = (system?.components ?? []).filter((c) => c.states <= 2_000).slice(0, 60);
    Promise.all(small.map(async (c) => [c.name, (await machine(c.name).catch(() => undefined))?.names ?? []] as const)).then(
      (all) => old || setNames(new Map(all)),
    );
    return () => {
      old = true;
    };
  }, [system]);
  return useCallback((name, s) => names.get(name)?.[s] ?? String(s), [names]);
}

export function Animate() {
  const system = useStore((s) => s.model?.system);
  const walk = useStore(walkOf);
  if (system === undefined) return <NoSystem otherwise="A model without errors can be stepped through." />;
  return (
    <div class="animate-panel">
      <WalkTabs />
      {walk === undefined ? (
        <div class="empty">
          <p>Step through {system.system}: choose what happens, go back, try another way.</p>
          <button class="first" onClick={() => void begin()}>
            start
          </button>
        </div>
      ) : (
        <Walking walk={walk} />
      )}
    </div>
  );
}

function Walking({ walk }: { walk: Walk }) {
  const system = useStore((s) => s.model?.system)!;
  const isOld = useStore((s) => presentWalk(s) === undefined);
  const moment = walk.moments[walk.at]!;
  const end = walk.moments.length - 1;
  const [by, setBy] = useKept<"component" | "menu">("animate by", "component");
  const [all, setAll] = useKept("animate all", Object.keys(system.actions).length <= 80);
  const [ticks, setTicks] = useKept("animate ticks", false);
  const [unticked, setUnticked] = useKeptHere<ReadonlySet<string>>("animate unticked", kNone);
  const [until, setUntil] = useKeptHere("animate until", "violation");
  const [running, run] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const [speed, setSpeed] = useKept("animate speed", 2);
  const nameOf = useStateNames();
  const hasMenus = Object.keys(system.menus ?? {}).length > 0;
  const groups = useMemo(
    () => offers(moment, system, { by: hasMenus ? by : "component", all, nameOf }),
    [moment, system, by, all, nameOf, hasMenus],
  );
  const steps = useMemo(() => stepsOf(walk, system), [walk.moments, system]);
  const only = unticked.size === 0 ? undefined : Object.keys(system.actions).concat("tau").filter((a) => !unticked.has(a));

  useEffect(() => void fill(walk.at - 1, walk.at), [moment]);
  // The button that was pressed may be gone: its keys are still heard here.
  useEffect(() => {
    if (document.activeElement === document.body) box.current?.focus({ preventScroll: true });
  }, [moment]);
  useEffect(() => {
    if (!running) return;
    let waits = false; // for the step before
    const timer = setInterval(() => {
      const now = presentWalk(state);
      const here = now?.moments[now.at];
      if (here === undefined) return run(false);
      if (waits) return;
      const move = randomMove(here, (a) => !unticked.has(a));
      if (move === undefined) return run(false);
      waits = true;
      void take(move).then(() => (waits = false));
    }, 1_000 / speed);
    return () => clearInterval(timer);
  }, [running, speed, unticked]);

  const key = (e: KeyboardEvent): void => {
    if (e.ctrlKey || e.altKey || e.metaKey || isTyping(e.target)) return;
    if (e.target instanceof Element && e.target.closest(".drawing")) return;
    if (e.key === "Backspace") showMoment(walk.at - 1);
    else if (e.key === "f" || e.key === "F") fork();
    else {
      const move = chosenBy(groups, e.key);
      if (move === undefined) return;
      void take(move);
    }
    e.preventDefault();
  };
  const last = steps[walk.at - 1];
  const over = endOf(moment);
  const trouble = last && wrong(last);
  const drawn = new Set(system.properties.map((p) => p.name));
  const broken = (moment.watchers ?? []).filter((w) => w.violated).map((w) => w.name);
  return (
    <div class="walking" data-keys ref={box} tabIndex={-1} onKeyDown={key}>
      <div class="bar machine-bar">
        <div class="bar" role="group" aria-label="along the walk">
          <button aria-disabled={walk.at === 0} title="back (Backspace)" onClick={() => showMoment(walk.at - 1)}>
            ◀ back
          </button>
          <button aria-disabled={walk.at === end} onClick={() => showMoment(walk.at + 1)}>
            forward ▶
          </button>
          <button aria-disabled={walk.at === 0} onClick={() => showMoment(0)}>
            restart
          </button>
        </div>
        <span class="number" role="status">
          {walk.at} of {end}
        </span>
        <div class="bar" role="group" aria-label="at random">
          <button aria-pressed={running} onClick={() => run(!running)}>
            {running ? "‖ stop" : "▷ random"}
          </button>
          <select aria-label="steps a second" value={String(speed)} onChange={(e) => setSpeed(Number(e.currentTarget.value))}>
            {kSpeeds.map((s) => (
              <option key={s} value={s}>
                {s} a second
              </option>
            ))}
          </select>
          <label>
            <input type="checkbox" checked={ticks} onChange={(e) => setTicks(e.currentTarget.checked)} /> ticks
          </label>
        </div>
        <div class="bar" role="group" aria-label="run until">
          <button onClick={() => void runUntil(until, only)}>run until</button>
          <select aria-label="until what" class="until" value={until} onChange={(e) => setUntil(e.currentTarget.value)}>
            <option value="violation">a property breaks</option>
            {Object.keys(system.actions).map((a) => (
              <option key={a} value={a}>
                {a}
              </option>
            ))}
          </select>
        </div>
        <button title="another way from here; this one stays (F)" onClick={fork}>
          fork here
        </button>
        <button onClick={() => showPanel("trace")}>chart</button>
        <button title="another walk from the beginning" onClick={() => void begin()}>
          new walk
        </button>
      </div>
      {isOld && <p class="note">The text, a constant or the system has changed since: this walk can be looked at, and does not go on.</p>}
      <p class={trouble || moment.deadlock ? "standing violated" : "standing"} role="status">
        {last ? (
          <>
            <span class="mono">{labelOf(last)}</span> <span class="dim">{last.who.join(", ")}</span>
          </>
        ) : (
          "the beginning"
        )}
        {trouble !== undefined && ` ✗ ${trouble}`}
        {trouble === undefined && broken.length > 0 && <span class="violated"> {broken.join(", ")} is violated</span>}
        {over !== undefined && ` — ${over}`}
      </p>
      <div class="animate-columns">
        <div class="animate-left">
          <div class="bar">
            {hasMenus && (
              <select aria-label="groups" value={by} onChange={(e) => setBy(e.currentTarget.value as "component" | "menu")}>
                <option value="component">by component</option>
                <option value="menu">by menu</option>
              </select>
            )}
            <label>
              <input type="checkbox" checked={all} onChange={(e) => setAll(e.currentTarget.checked)} /> what cannot happen, too
            </label>
          </div>
          {!isOld && <Offers groups={groups} ticking={{ ticks, unticked, setUnticked }} />}
        </div>
        <div class="animate-right">
          {moment.components !== undefined ? <SmallMachines moment={moment} system={system} /> : <Situation moment={moment} />}
          {moment.watch !== undefined && moment.components !== undefined && (
            <dl class="situation watched">
              {Object.entries(moment.watch).filter(([name]) => !drawn.has(name.replace(/^property /, ""))).map(([name, value]) => (
                <div key={name} class={value.startsWith("violated") ? "violated" : undefined}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          )}
        </div>
      </div>
    </div>
  );
}
