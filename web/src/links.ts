// The whole view in the fragment of the address: which file, constants, system, check, method, panel, where in the proof
// and in the trace. A link carries no token; who opens it needs one of his own.
import type { PanelName } from "./store";

export interface Link {
  path?: string;
  define: Record<string, number | string>;
  system?: string;
  check?: string;
  method?: string;
  split?: string;
  panel?: PanelName;
  k?: number; // the conjecture, from 1
  step?: number; // of the trace, from 0
}

const kPanels = ["draw", "transitions", "alphabet", "animate", "trace", "proof", "compare", "experiments", "output"];
const kOwn = ["system", "check", "method", "split", "panel", "k", "step"];

const whole = (text: string | null): number | undefined =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined;

// What a fragment says; of what makes no sense, nothing.
export function parseLink(fragment: string): Link {
  const text = fragment.replace(/^#/, "");
  const link: Link = { define: {} };
  if (!text.startsWith("/")) return link;
  const mark = text.indexOf("?");
  const path = decode(mark < 0 ? text.slice(1) : text.slice(1, mark));
  if (path !== "") link.path = path;
  const query = new URLSearchParams(mark < 0 ? "" : text.slice(mark + 1));
  for (const [key, value] of query)
    if (!kOwn.includes(key) && /^[A-Za-z_]\w*$/.test(key)) link.define[key] = /^-?\d{1,9}$/.test(value) ? Number(value) : value;
  for (const key of ["system", "check", "method", "split"] as const) {
    const value = query.get(key);
    if (value) link[key] = value;
  }
  const panel = query.get("panel");
  if (panel !== null && kPanels.includes(panel)) link.panel = panel as PanelName;
  link.k = whole(query.get("k"));
  link.step = whole(query.get("step"));
  return link;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lonely %: as it stands
  }
}

// The fragment of a view, with the mark in front; nothing without a file.
export function linkText(link: Link): string {
  if (link.path === undefined) return "";
  const query: string[] = [];
  const add = (key: string, value: string | number | undefined) => {
    if (value !== undefined && value !== "") query.push(`${key}=${soft(String(value))}`);
  };
  for (const [name, value] of Object.entries(link.define)) if (!kOwn.includes(name)) add(name, value);
  for (const key of kOwn) add(key, link[key as keyof Link] as string | number | undefined);
  return `#/${soft(link.path)}` + (query.length > 0 ? "?" + query.join("&") : "");
}

// Encoded, but what people read in links stays readable.
const soft = (text: string): string =>
  encodeURIComponent(text).replace(/%(2F|3A|2C|7C|40)/g, (whole) => decodeURIComponent(whole));
