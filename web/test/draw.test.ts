// Drawings without a browser: the graph, its DOT, Graphviz's answer, curves, labels, keys.
import assert from "node:assert/strict";
import test from "node:test";
import { instance } from "@viz-js/viz";
import { backwards, dotText, readPlain } from "../src/draw/dot";
import { TooLong } from "../src/draw/graphviz";
import { graphOf, named } from "../src/draw/graph";
import { walked } from "../src/draw/keys";
import { apart, boundsOf, goesDown, layOutGraph, plan, spreadOut } from "../src/draw/layout";
import { overlap, placeLabels } from "../src/draw/place-labels";
import { freeGap, loopAt, pointAt, rim, route } from "../src/draw/route";
import { sayState, shortened } from "../src/draw/scene";
import { fitted, zoomed } from "../src/draw/view";
import type { Lts } from "../src/types";
import { random } from "./random";

const viz = await instance();
const run = async (dot: string, engine: string): Promise<string> => {
  const result = viz.render(dot, { format: "plain", engine });
  if (result.status !== "success") throw new Error(JSON.stringify(result.errors));
  return result.output;
};

// Any machine: nondeterministic, with loops, states that cannot be reached, an error, an end.
function anyMachine(seed: number, most = 30): Lts {
  const next = random(seed);
  const states = 1 + next(most);
  const steps: [number, string, number][] = [];
  for (let i = next(3 * states); i > 0; --i) steps.push([next(states), `a.${next(5)}`, next(states)]);
  return { states, alphabet: [], steps, error: next(3) === 0 ? states - 1 : null, end: null };
}

test("steps of one pair of states are one arc, and no action is lost", () => {
  for (let seed = 1; seed < 100; ++seed) {
    const lts = anyMachine(seed);
    const graph = graphOf(lts);
    const pairs = new Set(graph.arcs.map((a) => `${a.from} ${a.to}`));
    assert.equal(pairs.size, graph.arcs.length);
    const told = graph.arcs.flatMap((a) => a.actions.map((x) => `${a.from} ${x} ${a.to}`)).sort();
    assert.deepEqual(told, [...new Set(lts.steps!.map((s) => s.join(" ")))].sort());
    assert.deepEqual([...graph.order].sort((a, b) => a - b), lts.steps && Array.from({ length: lts.states }, (_, i) => i));
    for (let i = 1; i < graph.order.length; ++i) {
      const [a, b] = [graph.distance[graph.order[i - 1]!]!, graph.distance[graph.order[i]!]!];
      assert.ok(b === -1 || (a !== -1 && a <= b), "the order is one of distance");
    }
  }
});

test("steps of other kinds have arcs of their own, hidden ones have none", () => {
  const lts: Lts = { states: 2, alphabet: [], steps: [[0, "a", 1], [0, "b", 1], [0, "c", 1], [0, "d", 1], [1, "x", 0]] };
  const graph = graphOf(lts, new Set(["x"]), { newSteps: [[0, "b", 1]], goingSteps: [[0, "c", 1]] }, [[0, "d", 1]]);
  assert.deepEqual(
    graph.arcs.map((a) => [a.kind, a.path, a.actions.join()]),
    [["plain", false, "a"], ["new", false, "b"], ["going", false, "c"], ["plain", true, "d"]],
  );
});

test("actions of events get their names", () => {
  assert.deepEqual(named({ states: 1, alphabet: [1], steps: [[0, 1, 0]] }, ["tau", "go"]).steps, [[0, "go", 0]]);
});

test("law: Graphviz reads our DOT, every state has a place, every arc its own curve from its state to its state", async () => {
  for (let seed = 1; seed < 60; ++seed) {
    const graph = graphOf(anyMachine(seed, 25));
    const size = { w: 28, h: 28 };
    for (const effort of ["labels", "full"] as const) {
      const text = await run(dotText(graph, { effort, states: () => size, label: () => ({ w: 40, h: 15 }) }), "dot");
      const laid = readPlain(text, graph, true);
      assert.equal(laid.places.size, graph.states);
      for (const arc of graph.arcs) {
        const curve = laid.curves[arc.id]!;
        assert.ok(curve.length >= 8 && (curve.length - 2) % 6 === 0, `seed ${seed}: a chain of cubic curves`);
        const [a, b] = [laid.places.get(arc.from)!, laid.places.get(arc.to)!];
        assert.ok(Math.hypot(curve[0]! - a.x, curve[1]! - a.y) < 22, `seed ${seed}: arc ${arc.id} begins at its state`);
        assert.ok(Math.hypot(curve.at(-2)! - b.x, curve.at(-1)! - b.y) < 22, `seed ${seed}: arc ${arc.id} ends at its state`);
        if (effort === "labels" && (arc.to !== graph.error || graph.into[graph.error]!.length <= 12))
          assert.ok(laid.labels[arc.id] !== undefined);
      }
    }
  }
});

test("dot is never given a cycle: what leads back is turned", () => {
  for (let seed = 1; seed < 60; ++seed) {
    const graph = graphOf(anyMachine(seed));
    for (const arc of graph.arcs) {
      if (arc.from === arc.to) continue;
      const [a, b] = backwards(graph, arc) ? [arc.to, arc.from] : [arc.from, arc.to];
      assert.ok(graph.distance[a]! < graph.distance[b]! || (graph.distance[a] === graph.distance[b] && graph.rank[a]! < graph.rank[b]!));
    }
  }
});

test("what is tried depends on the size, and a layout that takes too long is followed by a cheaper one", async () => {
  const efforts = (states: number, arcs: number): string[] =>
    plan({ ...graphOf({ states, alphabet: [], steps: [] }), arcs: new Array(arcs) }).map(([e]) => e);
  assert.deepEqual(efforts(60, 100), ["labels", "quick", "spread"]);
  assert.deepEqual(efforts(60, 1000), ["quick", "spread"]);
  assert.deepEqual(efforts(61, 100), ["quick", "spread"]);
  assert.deepEqual(efforts(301, 100), ["spread"]);
  const graph = graphOf(anyMachine(5));
  const tried: string[] = [];
  const never = (_: string, engine: string): Promise<string> => {
    tried.push(engine);
    return Promise.reject(new TooLong());
  };
  const layout = await layOutGraph(graph, { run: never });
  assert.deepEqual(tried, ["dot", "dot", "sfdp"]);
  assert.equal(layout.effort, "layers");
  assert.equal(layout.places.size, graph.states);
});

test("the quick layout comes first, the full one after it", async () => {
  const next = random(9);
  const steps = Array.from({ length: 150 }, (): [number, string, number] => [next(80), "a", next(80)]);
  const graph = graphOf({ states: 80, alphabet: ["a"], steps });
  const better = await new Promise<string>((resolve, reject) => {
    layOutGraph(graph, { run, later: run, better: (l) => resolve(l.effort) }).then(
      (l) => assert.equal(l.effort, "quick"),
      reject,
    );
  });
  assert.equal(better, "full");
});

test("places that are given are taken as they are, without Graphviz", async () => {
  const graph = graphOf({ states: 2, alphabet: [], steps: [[0, "a", 1]] });
  const places = new Map([[0, { x: 3, y: 4 }], [1, { x: 50, y: 60 }]]);
  const layout = await layOutGraph(graph, { places, run: () => Promise.reject(new Error("not asked")) });
  assert.deepEqual([layout.effort, layout.places.get(1)], ["given", { x: 50, y: 60 }]);
});

test("a long chain with long labels goes down, a wide fan goes to the right", () => {
  const label = (): { w: number; h: number } => ({ w: 160, h: 15 });
  const chain = graphOf({ states: 12, alphabet: [], steps: Array.from({ length: 11 }, (_, i): [number, string, number] => [i, "a", i + 1]) });
  const fan = graphOf({ states: 12, alphabet: [], steps: Array.from({ length: 11 }, (_, i): [number, string, number] => [0, "a", i + 1]) });
  assert.equal(goesDown(chain, { label }, true), true);
  assert.equal(goesDown(fan, { label }, true), false);
});

test("after a spring layout most states do not touch", () => {
  const next = random(4);
  const places = new Map(Array.from({ length: 500 }, (_, i) => [i, { x: next(1000) / 50, y: next(1000) / 50 }] as const));
  const laid = { width: 20, height: 20, places, curves: [], labels: [] };
  spreadOut(laid);
  const points = [...places.values()];
  const nearest = points.map((p) => Math.min(...points.filter((q) => q !== p).map((q) => Math.hypot(p.x - q.x, p.y - q.y))));
  assert.ok(nearest.filter((d) => d >= 28).length > 0.75 * 500, "of those that can be told apart");
});

test("curves of our own end at the rims; opposite ones do not lie on each other; loops stand where there is room", () => {
  const graph = graphOf({ states: 2, alphabet: [], steps: [[0, "a", 1], [1, "b", 0], [1, "c", 1]] });
  const places = new Map([[0, { x: 0, y: 0 }], [1, { x: 100, y: 0 }]]);
  const size = () => ({ w: 28, h: 28 });
  const curves = route(graph, places, size);
  for (const arc of graph.arcs) {
    const c = curves.get(arc.id)!;
    const [a, b] = [places.get(arc.from)!, places.get(arc.to)!];
    assert.ok(Math.abs(Math.hypot(c[0]! - a.x, c[1]! - a.y) - 14) < 0.01);
    assert.ok(Math.abs(Math.hypot(c.at(-2)! - b.x, c.at(-1)! - b.y) - 14) < 0.01);
  }
  const [there, back] = [pointAt(curves.get(0)!, 0.5), pointAt(curves.get(1)!, 0.5)];
  assert.ok(Math.abs(there.y - back.y) > 10);
  assert.ok(pointAt(curves.get(2)!, 0.5).x > 120, "the loop is on the side without arcs");
  assert.ok(Math.abs(freeGap([0]).angle - Math.PI) < 1e-9);
  assert.deepEqual(rim({ x: 0, y: 0 }, { w: 60, h: 28 }, { x: 100, y: 0 }), { x: 30, y: 0 });
});

test("a step with a step back goes around a state, too, and not on the side of the other", () => {
  const graph = graphOf({ states: 3, alphabet: [], steps: [[0, "a", 2], [2, "b", 0]] });
  const places = new Map([[0, { x: 0, y: 0 }], [1, { x: 100, y: 10 }], [2, { x: 200, y: 0 }]]);
  const curves = route(graph, places, () => ({ w: 28, h: 28 }));
  const [there, back] = [curves.get(0)!, curves.get(1)!];
  for (const c of [there, back]) for (let t = 0; t <= 1; t += 0.02) assert.ok(Math.hypot(pointAt(c, t).x - 100, pointAt(c, t).y - 10) > 14);
  assert.ok(pointAt(there, 0.5).y > 10 && pointAt(back, 0.5).y < 10);
});

test("few and long ranks are far from each other, so that they fill the frame", async () => {
  const star: Lts = { states: 26, alphabet: [], steps: Array.from({ length: 25 }, (_, i) => [0, `a.${i}`, i + 1]) };
  const frame = { width: 700, height: 400 };
  const laid = await layOutGraph(graphOf(star), { run, frame, label: () => ({ w: 40, h: 13 }) });
  assert.equal(laid.effort, "labels");
  const [wide, high] = [laid.width / frame.width, laid.height / frame.height];
  assert.ok(Math.max(wide, high) / Math.min(wide, high) < 2.5, `${laid.width} x ${laid.height}`);
});

test("of a long name one sees where it begins and where it ends", () => {
  assert.equal(shortened("DESK[1][0]"), "DESK[1][0]");
  assert.equal(shortened("CUSTOMER after prepay.1.1 -> start.1.1 -> finish.1.1"), "CUSTOMER after … finish.1.1");
  assert.equal(shortened("A_NAME_THAT_IS_VERY_LONG_AND_NO_MORE"), "A_NAME_THAT_IS_VERY_LONG_AN…");
});

test("what is small is drawn apart, what is large as it is", () => {
  const small = apart(new Map([[0, { x: 0, y: 0 }], [1, { x: 100, y: 0 }], [2, { x: 400, y: 200 }]]));
  assert.deepEqual(boundsOf(small.values()), { x: 0, y: 0, width: 420, height: 250 });
  const tiny = apart(new Map([[0, { x: 0, y: 0 }], [1, { x: 50, y: 0 }]]));
  assert.deepEqual(tiny.get(1), { x: 95, y: 0 });
  const large = new Map([[0, { x: 0, y: 0 }], [1, { x: 600, y: 400 }]]);
  assert.deepEqual(apart(large), large);
});

test("steps beside each other go around a state beside each other", () => {
  const places = new Map([[0, { x: 0, y: 0 }], [1, { x: 100, y: 4 }], [2, { x: 200, y: 0 }]]);
  const diff = { newSteps: [[0, "b", 2]] as [number, string, number][] };
  const graph = graphOf({ states: 3, alphabet: [], steps: [[0, "a", 2], [0, "b", 2]] }, undefined, diff);
  assert.equal(graph.arcs.length, 2);
  const curves = route(graph, places, () => ({ w: 28, h: 28 }));
  const [one, two] = [pointAt(curves.get(0)!, 0.5), pointAt(curves.get(1)!, 0.5)];
  assert.ok(Math.abs(one.y - two.y) > 20, `${one.y} and ${two.y}`);
});

test("loops of one state are side by side where there is room", () => {
  const three = [0, 1, 2].map((nth) => loopAt([], nth, 3));
  assert.deepEqual(three.map((l) => l.size), [0, 0, 0]);
  assert.equal(three[1]!.angle, -Math.PI / 2);
  assert.ok(three[1]!.angle - three[0]!.angle > 1 && three[2]!.angle - three[1]!.angle > 1);
  const around = Array.from({ length: 6 }, (_, i) => (i * Math.PI) / 3);
  const tight = [0, 1].map((nth) => loopAt(around, nth, 2));
  assert.equal(tight[0]!.angle, tight[1]!.angle);
  assert.deepEqual(tight.map((l) => l.size), [0, 1], "else one is around the other");
});

test("a step that would go through a state goes around it", () => {
  const graph = graphOf({ states: 3, alphabet: [], steps: [[0, "a", 2]] });
  const places = new Map([[0, { x: 0, y: 0 }], [1, { x: 100, y: 2 }], [2, { x: 200, y: 0 }]]);
  const curve = route(graph, places, () => ({ w: 28, h: 28 })).get(0)!;
  for (let t = 0; t <= 1; t += 0.02) assert.ok(Math.hypot(pointAt(curve, t).x - 100, pointAt(curve, t).y - 2) > 14);
});

test("law: labels that are placed lie on no other label and on no state, and nearly all have room", async () => {
  let [there, all] = [0, 0];
  for (let seed = 1; seed < 25; ++seed) {
    const graph = graphOf(anyMachine(seed, 20));
    const next = random(seed);
    const sizes = graph.arcs.map(() => ({ w: 20 + next(100), h: 15 + 13 * next(3) }));
    const text = await run(dotText(graph, { effort: "labels", states: () => ({ w: 28, h: 28 }), label: (a) => sizes[a]! }), "dot");
    const laid = readPlain(text, graph, true);
    const states = [...laid.places.values()].map((p) => ({ ...p, w: 28, h: 28 }));
    const labels = graph.arcs.map((a) => ({ curve: laid.curves[a.id]!, size: sizes[a.id]!, given: laid.labels[a.id] }));
    const placed = placeLabels(labels, states);
    const boxes = [...placed].map(([i, p]) => ({ ...p, ...sizes[i]! }));
    boxes.forEach((a, i) => {
      for (const b of boxes.slice(0, i)) assert.ok(!overlap(a, b), `seed ${seed}`);
      for (const s of states) assert.ok(!overlap(a, s), `seed ${seed}`);
    });
    there += placed.size;
    all += graph.arcs.length;
  }
  assert.ok(there >= 0.98 * all, `${there} of ${all} have room`);
});

test("arrows walk along steps and back", () => {
  const graph = graphOf({ states: 3, alphabet: [], steps: [[0, "a", 1], [0, "b", 2], [1, "c", 0]] });
  let at = walked(graph, { state: 0, trail: [] }, "ArrowDown")!;
  at = walked(graph, at, "ArrowDown")!;
  assert.equal(graph.arcs[at.arc!]!.actions[0], "b");
  at = walked(graph, at, "ArrowRight")!;
  assert.equal(at.state, 2);
  assert.equal(walked(graph, at, "ArrowRight"), undefined);
  at = walked(graph, at, "ArrowLeft")!;
  assert.deepEqual([at.state, graph.arcs[at.arc!]!.actions[0]], [0, "b"]);
  assert.equal(walked(graph, { state: 0, trail: [] }, "PageDown")!.state, 1);
  assert.equal(walked(graph, { state: 2, trail: [] }, "Home")!.state, 0);
});

test("a state is said with its marks and its steps", () => {
  const graph = graphOf({ states: 2, alphabet: [], steps: [[0, "a", 1]], error: null });
  assert.equal(sayState(graph, { names: ["GO", null], marked: new Set([0]) }, 0), "state 0 GO, initial, present: a to 1");
  assert.equal(sayState(graph, {}, 1), "state 1, no steps: deadlock");
});

test("fit shows all, zoom keeps the point under the pointer", () => {
  const seen = fitted({ x: 10, y: 20, width: 1000, height: 100 }, { width: 500, height: 400 });
  assert.ok(seen.x <= 10 && seen.x + 500 / seen.k >= 1010);
  const z = zoomed(seen, 2, 100, 50);
  assert.ok(Math.abs(seen.x + 100 / seen.k - (z.x + 100 / z.k)) < 1e-9);
  assert.deepEqual(boundsOf([]), { x: 0, y: 0, width: 0, height: 0 });
});
