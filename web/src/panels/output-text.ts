// A report as text, in the words of the command line: what Output shows and what can be copied from it.
import { plural, seconds } from "../format";
import type { Job } from "../store";
import type { CheckResult, Report } from "../types";

const row = (name: string, text: string): string => `  ${name.padEnd(13)}${text}`;

function title(c: CheckResult): string {
  if (c.kind === "deadlock") return c.verdict === "holds" ? "no deadlock" : "deadlock";
  if (c.kind === "error") return c.verdict === "holds" ? "no ERROR" : "ERROR";
  const kinds = { safety: "property", progress: "progress", ltl: "assertion" } as const;
  return `${kinds[c.kind]} ${c.property ?? ""}`.trim();
}

function traceLines(c: CheckResult): string[] {
  const trace = c.trace ?? [];
  const cycle = c.cycle ?? [];
  const all = [...trace, ...cycle];
  const number = String(all.length).length;
  const widest = Math.max(0, ...all.map((a) => a.length));
  return all.map((action, i) => {
    const head = i === 0 && trace.length > 0 ? "trace" : i === trace.length ? "for ever" : "";
    const step = c.steps?.[i];
    const who = step?.process !== undefined ? `${step.process}${step.line === undefined ? "" : ` line ${step.line}`} ${step.statement ?? ""}` : (c.participants?.[i] ?? []).join(", ");
    return row(head, `${String(i + 1).padStart(number)}  ${action.padEnd(widest)}  ${who}`.trimEnd());
  });
}

function standLines(c: CheckResult): string[] {
  return (c.stands ?? []).map((s, i) => {
    const can = (s.can ?? []).map((m) => (m.refused_by && m.refused_by.length > 0 ? `${m.action} (refused by ${m.refused_by.join(", ")})` : m.action));
    const line = s.line === undefined ? "" : ` (line ${s.line})`;
    const what = can.length > 0 ? `, can do or waits for ${can.join(", ")}` : s.is === undefined ? "" : `, ${s.is}`;
    return row(i === 0 ? "there" : "", `${s.process} at ${s.at}${line}${what}`);
  });
}

export function checkText(c: CheckResult): string {
  const lines = [`${c.verdict}: ${title(c)}`];
  if (c.verdict === "unknown" && c.why !== undefined) lines.push(row("why", c.why));
  lines.push(...traceLines(c), ...standLines(c));
  if (c.starved !== undefined) lines.push(row("starved", c.starved.join(", ")));
  if (c.method !== undefined) lines.push(row("method", c.method + (c.split === undefined ? "" : `, split ${c.split.map((s) => s.join(",")).join(" | ")}`)));
  for (const a of c.assumptions ?? []) {
    lines.push(row("assumption", `${plural(a.states, "state")}, ${plural(a.transitions, "transition")} over {${a.alphabet.join(", ")}}`));
    if (a.fsp !== undefined) lines.push(...a.fsp.trim().split("\n").map((l) => row("", l)));
  }
  if (c.known !== undefined) lines.push(row("known", c.known));
  for (const [i, a] of (c.attempts ?? []).entries())
    lines.push(row(i === 0 ? "tried" : "", `${a.method}: ${a.result} after ${seconds(a.time_s)}, largest ${plural(a.max_states, "state")}`));
  if (c.verdict !== "violated") lines.push(row("certificate", c.certified ? "checked by the independent checker" : (c.not_certified ?? "none")));
  if (c.conjectures) lines.push(row("conjectures", `${c.conjectures}, ${plural(c.queries ?? 0, "query", "queries")}`));
  lines.push(row("largest", `${plural(c.max_states, "state")}, ${plural(c.max_transitions, "transition")}`));
  if (c.note !== undefined) lines.push(row("note", c.note));
  lines.push(row("time", seconds(c.time_s)));
  return lines.join("\n");
}

export function reportText(report: Report): string {
  const parts: string[] = [];
  for (const e of report.errors ?? []) {
    const where = e.file === undefined ? "" : `${e.file}:${e.line ?? 0}:${e.column ?? 0}: `;
    parts.push(`${where}${e.severity}: ${e.message}${e.hint ? `\n  ${e.hint}` : ""}`);
  }
  for (const c of report.checks ?? []) parts.push(checkText(c));
  for (const w of report.warnings ?? []) parts.push(`warning: ${w}`);
  if (report.checks !== undefined && report.verdict !== undefined && report.checks.length > 1) parts.push(`all: ${report.verdict}`);
  return parts.join("\n\n");
}

// How a job ended, in a word for the list.
export function endOf(job: Job): string {
  if (job.state !== "done") return job.state;
  if (job.signal !== undefined) return `ended by ${job.signal}`;
  return job.report?.verdict ?? (job.report?.errors !== undefined ? "errors" : job.recording.end?.verdict || "done");
}
