// The panels, in the order of their tabs and of the keys Alt-1, Alt-2, ... Each is loaded when it is shown first.
import type { FunctionComponent } from "preact";
import type { PanelName } from "../store";

export interface PanelOf {
  name: PanelName;
  title: string;
  load: () => Promise<FunctionComponent>;
}

export const kPanels: PanelOf[] = [
  { name: "draw", title: "Draw", load: async () => (await import("./draw")).Draw },
  { name: "transitions", title: "Transitions", load: async () => (await import("./transitions")).Transitions },
  { name: "alphabet", title: "Alphabet", load: async () => (await import("./alphabet")).Alphabet },
  { name: "animate", title: "Animate", load: async () => (await import("./animate")).Animate },
  { name: "trace", title: "Trace", load: async () => (await import("./trace")).Trace },
  { name: "proof", title: "Proof", load: async () => (await import("./proof")).Proof },
  { name: "compare", title: "Compare", load: async () => (await import("./compare")).Compare },
  { name: "experiments", title: "Experiments", load: async () => (await import("./experiments")).Experiments },
  { name: "output", title: "Output", load: async () => (await import("./output")).Output },
];
