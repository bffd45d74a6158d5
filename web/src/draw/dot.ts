// Our own DOT from a graph. The layout is all that Graphviz makes: states are circles or boxes of a given size, labels are
// empty tables of the size that our text will have, so Graphviz's fonts, which are not the browser's, do not matter.
import type { Graph, Places } from "./graph";

export interface Size {
  w: number;
  h: number;
}

// How much Graphviz is to do.
export type Effort =
  | "labels" // dot with places for labels
  | "full" // dot with curves
  | "quick" // dot that stops soon, straight steps
  | "spread" // sfdp: states only
  | "from"; // neato, from places that are given

export const kRadius = 14; // of a state

const inches = (points: number): string => (points / 72).toFixed(3);

const kHeads: Record<Effort, string> = {
  labels: "graph[rankdir=LR nodesep=0.3 ranksep=0.3 splines=true]",
  full: "graph[rankdir=LR nodesep=0.3 ranksep=0.6 splines=true]",
  quick: "graph[rankdir=LR nodesep=0.3 ranksep=0.6 splines=none nslimit=2 mclimit=0.5]",
  spread: "graph[splines=none overlap=true pack=false repulsiveforce=1.4 start=7]",
  from: "graph[mode=major model=shortpath splines=none start=7 maxiter=200]edge[len=1.2]",
};

export interface DotInput {
  effort: Effort;
  states: (state: number) => Size; // how large each is drawn
  label?: (arc: number) => Size; // of "labels"
  start?: Places; // of "from"
  down?: boolean; // ranks downwards instead of to the right
  ranks?: number; // how far they are from each other, in inches
}

// Steps that lead back are written the other way round and turned again when they are read. So dot never has a cycle to
// break: its ranks are nearly the distances, the picture is as deep as the machine and not as long as its longest way
// (44 states of peterson.lts: 1,900 points wide instead of 5,100), and the quick layout is up to nine times faster.
export function backwards(graph: Graph, arc: { from: number; to: number }): boolean {
  const far = graph.distance[arc.from]! - graph.distance[arc.to]!;
  return far > 0 || (far === 0 && graph.rank[arc.from]! > graph.rank[arc.to]!);
}

// Where no curves are asked for, Graphviz hears of two states that they are neighbours once: that is all that matters.
export function dotText(graph: Graph, input: DotInput): string {
  const { effort } = input;
  const curves = effort === "labels" || effort === "full";
  const turn = (input.down ? "graph[rankdir=TB]" : "") + (input.ranks ? `graph[ranksep=${input.ranks.toFixed(2)}]` : "");
  const lines = [`digraph{${kHeads[effort]}${turn}node[shape=box fixedsize=true label=""]edge[dir=none]`];
  for (const s of graph.order) {
    const { w, h } = input.states(s);
    const at = effort === "from" ? input.start?.get(s) : undefined;
    const pos = at === undefined ? "" : ` pos="${inches(at.x)},${inches(-at.y)}"`;
    lines.push(`${s}[${w === h ? "shape=circle " : ""}width=${inches(w)} height=${inches(h)}${pos}]`);
  }
  const seen = new Set<number>();
  // Where many states have a step to the error state, those steps are not to bend the picture.
  const crowded = graph.error !== undefined && graph.into[graph.error]!.length > 12;
  for (const arc of graph.arcs) {
    const { from, to, id } = arc;
    if (curves) {
      const size = input.label?.(id);
      const light = crowded && to === graph.error && from !== to ? " weight=0" : "";
      const label =
        size === undefined || light !== ""
          ? light
          : ` label=<<TABLE BORDER="0" CELLBORDER="0" CELLPADDING="0" CELLSPACING="0" FIXEDSIZE="TRUE" ` +
            `WIDTH="${Math.ceil(size.w)}" HEIGHT="${Math.ceil(size.h)}"><TR><TD></TD></TR></TABLE>>`;
      lines.push(backwards(graph, arc) ? `${to}->${from}[id=${id}${label}]` : `${from}->${to}[id=${id}${label}]`);
      continue;
    }
    if (from === to) continue;
    const key = Math.min(from, to) * graph.states + Math.max(from, to);
    if (seen.has(key)) continue;
    seen.add(key);
    lines.push(backwards(graph, arc) ? `${to}->${from}` : `${from}->${to}`);
  }
  return lines.join("\n") + "}";
}

export interface Laid {
  width: number;
  height: number;
  places: Map<number, { x: number; y: number }>;
  curves: number[][]; // by arc: x y of the control points of a chain of cubic curves; empty: our own
  labels: ({ x: number; y: number } | undefined)[]; // their middles, by arc
}

// Reads Graphviz's `plain` format. `edges`: whether the graph's arcs are in it, in their order; of arcs between the same
// states the format keeps the order of the text.
export function readPlain(text: string, graph: Graph, edges: boolean): Laid {
  const laid: Laid = { width: 0, height: 0, places: new Map(), curves: [], labels: [] };
  const waiting = new Map<string, number[]>();
  if (edges)
    for (const arc of graph.arcs) {
      const key = backwards(graph, arc) ? `${arc.to} ${arc.from}` : `${arc.from} ${arc.to}`;
      const list = waiting.get(key);
      if (list === undefined) waiting.set(key, [arc.id]);
      else list.push(arc.id);
    }
  const x = (word: string): number => Number(word) * 72;
  const y = (word: string): number => laid.height - Number(word) * 72;
  for (const line of text.split("\n")) {
    if (line.startsWith("graph ")) {
      const words = line.split(" ");
      laid.width = x(words[2]!);
      laid.height = Number(words[3]) * 72;
    } else if (line.startsWith("node ")) {
      const words = line.split(" ", 4);
      laid.places.set(Number(words[1]), { x: x(words[2]!), y: y(words[3]!) });
    } else if (edges && line.startsWith("edge ")) {
      const words = line.split(" ");
      const id = waiting.get(`${words[1]} ${words[2]}`)?.shift();
      if (id === undefined) continue;
      const points = Number(words[3]);
      const curve: number[] = [];
      const turned = backwards(graph, graph.arcs[id]!);
      for (let i = 0; i < points; ++i) {
        const at = 4 + 2 * (turned ? points - 1 - i : i);
        curve.push(x(words[at]!), y(words[at + 1]!));
      }
      laid.curves[id] = curve;
      // After the points: the label in quotes or bare, its place, then style and colour.
      const rest = words.slice(4 + 2 * points);
      if (rest.length >= 5) laid.labels[id] = { x: x(rest.at(-4)!), y: y(rest.at(-3)!) };
    }
  }
  return laid;
}
