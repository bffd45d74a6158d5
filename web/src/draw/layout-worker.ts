// Graphviz, in a Worker of its own: what asked ends the Worker when its time is up, since nothing else stops it.
import { instance } from "@viz-js/viz";

export interface Wanted {
  dot: string;
  engine: string;
}
export interface Given {
  ready?: boolean; // the first message: Graphviz is there
  text?: string; // in Graphviz's plain format
  error?: string;
}

const viz = instance();
viz.then(
  () => self.postMessage({ ready: true } satisfies Given),
  (e: unknown) => self.postMessage({ error: String(e) } satisfies Given),
);

self.onmessage = async (message: MessageEvent<Wanted>) => {
  const { dot, engine } = message.data;
  let given: Given;
  try {
    const result = (await viz).render(dot, { format: "plain", engine });
    given = result.status === "success" ? { text: result.output } : { error: result.errors.map((e) => e.message).join("; ") };
  } catch (e) {
    given = { error: String(e) };
  }
  self.postMessage(given);
};
