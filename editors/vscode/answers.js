// What a report of surety means to an editor. Nothing here needs one, so that it can be tested without.
"use strict";

// The name by which a check is asked for: --property NAME.
function nameOf(check) {
  return check.property ?? { error: "assert" }[check.kind] ?? check.kind;
}

// What the options of a check say of the model, for the language server: it should read the same one.
function modelOptions(words) {
  const out = { define: {} };
  for (const word of words) {
    const [, option, value] = /^--(define|system|cells)(?:=(.*))?$/.exec(word) ?? [];
    const [, name, number] = /^(\w+)=(-?\d+)$/.exec(value ?? "") ?? [];
    if (option === "define" && name) out.define[name] = Number(number);
    if (option === "system" && value) out.system = value;
    if (option === "cells") out.cells = value === undefined ? true : Number(value);
  }
  return out;
}

// A check in one line.
function sentence(check) {
  const why = check.why ? `: ${check.why}` : "";
  return `${nameOf(check)} ${check.verdict === "holds" ? "holds" : `is ${check.verdict}`}${why}`;
}

// A counterexample as a tree: the steps, what is repeated for ever, and where each process is at the end. A node has a
// label, a description, perhaps a line to go to, and children.
function traceTree(check) {
  const steps = [...(check.trace ?? []), ...(check.cycle ?? [])].map((action, i) => {
    const step = check.steps?.[i];
    const doer = step && [step, step.with].filter((end) => end?.process).map(at).join(" with ");
    return {
      label: `${i + 1}  ${action}`,
      description: [doer || check.participants?.[i]?.join(", "), step?.note].filter(Boolean).join(" — "),
      line: step?.line,
      children: [],
    };
  });
  const length = check.trace?.length ?? 0;
  const nodes = steps.slice(0, length);
  if (check.cycle?.length) nodes.push({ label: "for ever", description: "", children: steps.slice(length) });
  if (check.stands?.length)
    nodes.push({ label: "there", description: "", children: check.stands.map(stand) });
  return nodes;
}

function at(end) {
  return `${end.process}${end.line ? `:${end.line}` : ""} ${end.statement ?? ""}`.trim();
}

function stand(process) {
  return {
    label: process.process,
    description: process.is === "waiting" ? process.at : `${process.at} (${process.is})`,
    line: process.line,
    children: (process.can ?? []).map((wish) => ({
      label: `could ${wish.action}`,
      description: wish.refused_by.length ? `refused by ${wish.refused_by.join(", ")}` : "",
      children: [],
    })),
  };
}

module.exports = { modelOptions, nameOf, sentence, traceTree };
