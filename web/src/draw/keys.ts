// The keys of a drawing: arrows walk along steps. Up and down choose one of the steps that leave a state, right goes along
// it, left goes back to where one came from; Page Up and Down go through all states in order of distance.
import type { Graph } from "./graph";

export interface Stand {
  state: number;
  arc?: number; // the chosen step
  trail: number[]; // arcs that were walked to here
}

export function walked(graph: Graph, stand: Stand, key: string): Stand | undefined {
  const { state, trail } = stand;
  const leaving = graph.out[state] ?? [];
  const chosen = stand.arc === undefined ? -1 : leaving.indexOf(stand.arc);
  const to = (s: number): Stand => ({ state: s, trail: [] });
  switch (key) {
    case "ArrowDown":
    case "ArrowUp": {
      if (leaving.length === 0) return undefined;
      const by = key === "ArrowDown" ? 1 : -1;
      const next = chosen === -1 && by === -1 ? leaving.length - 1 : (chosen + by + leaving.length) % leaving.length;
      return { state, arc: leaving[next], trail };
    }
    case "ArrowRight": {
      // Without a choice: the first step that leads elsewhere.
      const id = stand.arc ?? leaving.find((a) => graph.arcs[a]!.to !== state) ?? leaving[0];
      if (id === undefined) return undefined;
      return { state: graph.arcs[id]!.to, trail: [...trail, id] };
    }
    case "ArrowLeft": {
      const last = trail.at(-1) ?? graph.into[state]!.find((a) => graph.arcs[a]!.from !== state);
      if (last === undefined) return undefined;
      return { state: graph.arcs[last]!.from, arc: last, trail: trail.slice(0, -1) };
    }
    case "Home":
      return to(graph.root);
    case "End":
      return to(graph.order.at(-1)!);
    case "PageDown":
    case "PageUp": {
      const next = graph.order[graph.rank[state]! + (key === "PageDown" ? 1 : -1)];
      return next === undefined ? undefined : to(next);
    }
  }
  return undefined;
}
