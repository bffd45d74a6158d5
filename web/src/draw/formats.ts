// A machine as a file: .aut, .dot, .lts (FSP) and .json as surety itself writes and reads them.
import type { Lts } from "../types";

export const kFormats = ["aut", "dot", "lts", "json"] as const;
export type Format = (typeof kFormats)[number];

const quoted = (text: string): string => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

function aut(lts: Lts): string {
  const steps: [number, string, number][] = [...lts.steps!];
  if (typeof lts.error === "number") steps.push([lts.error, "surety:error", lts.error]);
  if (typeof lts.end === "number") steps.push([lts.end, "surety:end", lts.end]);
  const lines = steps.map(([from, action, to]) => `(${from},${quoted(action)},${to})`);
  return [`des (${lts.initial ?? 0},${steps.length},${lts.states})`, ...lines, ""].join("\n");
}

function dot(lts: Lts): string {
  const lines = ['digraph "LTS" {', "  rankdir=LR;", "  node [shape=circle];", "  entry [shape=point];"];
  lines.push(`  entry -> ${lts.initial ?? 0};`);
  if (typeof lts.error === "number")
    lines.push(`  ${lts.error} [label="ERROR", shape=doublecircle, color=red, fontcolor=red];`);
  if (typeof lts.end === "number") lines.push(`  ${lts.end} [label="END", shape=doublecircle];`);
  lts.names?.forEach((name, s) => {
    if (name !== null && s !== lts.error && s !== lts.end) lines.push(`  ${s} [label=${quoted(`${s}`)}, tooltip=${quoted(name)}];`);
  });
  const bundles = new Map<string, string[]>();
  for (const [from, action, to] of lts.steps!) {
    const key = `${from} -> ${to}`;
    const list = bundles.get(key);
    if (list === undefined) bundles.set(key, [action]);
    else list.push(action);
  }
  for (const [key, actions] of bundles) lines.push(`  ${key} [label="${actions.map((a) => quoted(a).slice(1, -1)).join("\\n")}"];`);
  return [...lines, "}", ""].join("\n");
}

// `a.1.b` is `a[1].b` in FSP. Nothing: the name is none of FSP.
export function fspLabel(action: string): string | undefined {
  const segments = action.split(".");
  if (!/^[a-z_]\w*$/.test(segments[0]!)) return undefined;
  let out = segments[0]!;
  for (const segment of segments.slice(1)) {
    if (/^-?\d+$/.test(segment)) out += `[${segment}]`;
    else if (/^[a-z_]\w*$/.test(segment)) out += `.${segment}`;
    else return undefined;
  }
  return out;
}

const kWords = new Set(["if", "then", "else", "when", "const", "range", "set", "property", "progress", "menu", "forall"]);

// Nothing: an action has a name that FSP cannot write.
export function fsp(lts: Lts): string | undefined {
  const initial = lts.initial ?? 0;
  let silent = "silent";
  while (lts.alphabet.includes(silent)) silent += "_";
  const labels = new Map<string, string>();
  for (const action of new Set([...lts.alphabet, ...lts.steps!.map((s) => s[1])])) {
    const label = action === "tau" ? silent : fspLabel(action);
    if (label === undefined || kWords.has(label)) return undefined;
    labels.set(action, label);
  }
  const name = (s: number): string => (s === lts.error ? "ERROR" : s === lts.end ? "END" : `S${s}`);
  const steps: string[][] = Array.from({ length: lts.states }, () => []);
  const used = new Set<string>();
  for (const [from, action, to] of lts.steps!) {
    steps[from]!.push(`${labels.get(action)!} -> ${name(to)}`);
    used.add(action);
  }
  const lines = [`LTS = ${name(initial)}`];
  for (let s = 0; s < lts.states; ++s)
    if (s !== lts.error && s !== lts.end) lines.push(`S${s} = ${steps[s]!.length === 0 ? "STOP" : `(${steps[s]!.join(" | ")})`}`);
  const unused = lts.alphabet.filter((a) => a !== "tau" && !used.has(a)).map((a) => labels.get(a)!);
  let out = lines.join(",\n");
  if (unused.length > 0) out += `\n  + {${unused.join(", ")}}`;
  if (used.has("tau")) out += `\n  \\ {${silent}}`;
  return out + ".\n";
}

function json(lts: Lts): string {
  const list = (items: readonly unknown[]): string => items.map((i) => `    ${JSON.stringify(i)}`).join(",\n");
  return `{
  "schema": 1,
  "states": ${lts.states},
  "initial": ${lts.initial ?? 0},
  "error": ${lts.error ?? null},
  "end": ${lts.end ?? null},
  "alphabet": ${JSON.stringify(lts.alphabet)},
  "steps": [
${list(lts.steps!)}
  ]
}
`;
}

export function write(lts: Lts, format: Format): string | undefined {
  return format === "aut" ? aut(lts) : format === "dot" ? dot(lts) : format === "lts" ? fsp(lts) : json(lts);
}
