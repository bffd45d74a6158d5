// A name in parts between which a line may end.
import type { ComponentChildren } from "preact";
import { breaks } from "./format";

export const breakable = (name: string): ComponentChildren =>
  breaks(name).map((part, i) => (i === 0 ? part : [<wbr key={i} />, part]));
