// Two systems, or two versions of the text: equivalent by traces, weakly, strongly? Where they are not, the play that tells
// them apart, in two columns: after these steps one goes on, and the other cannot.
import { useState } from "preact/hooks";
import { failed, runJob } from "../actions";
import { lastName, plural } from "../format";
import { state, useStore } from "../store";
import type { Options } from "../types";

interface Play {
  equivalent: boolean;
  trace?: string[];
  only_in?: string;
  by_trace?: boolean;
}
interface Compared {
  names?: [string, string];
  equivalent?: boolean;
  verdict?: string;
  why?: string;
  trace?: Play;
  weak?: Play;
  strong?: Play;
  errors?: { message: string; hint?: string }[];
}

const kKinds = ["trace", "weak", "strong"] as const;
const kTitles = { trace: "by traces", weak: "weakly bisimilar", strong: "strongly bisimilar" };

// The systems that a text can name; the first entry of the list is its own choice.
function useNames(): string[] {
  const systems = useStore((s) => s.model?.system?.systems);
  const symbols = useStore((s) => s.model?.symbols);
  const processes = (symbols ?? []).filter((s) => s.kind === 5 || s.kind === 2 || s.kind === 7).map((s) => s.name);
  return [...new Set([...(systems ?? []), ...processes])];
}

function Verdict({ kind, play }: { kind: (typeof kKinds)[number]; play: Play }) {
  return (
    <span class={play.equivalent ? "holds" : "violated"}>
      {play.equivalent ? "✓" : "✗"} {kTitles[kind]}: {play.equivalent ? "equivalent" : "different"}
    </span>
  );
}

interface PlaysOf {
  kind: (typeof kKinds)[number];
  play: Play;
  left: string; // as the answer calls it
  right: string;
  titles: [string, string];
}

function Plays({ kind, play, left, right, titles }: PlaysOf) {
  const trace = play.trace ?? [];
  const isLeft = play.only_in === left;
  const last = trace.length - 1;
  const cannot = play.by_trace === true || kind === "trace" ? "cannot" : "cannot, however it answered before";
  return (
    <table class="play">
      <caption>
        {play.only_in === left ? titles[0] : play.only_in === right ? titles[1] : "one"} can do {plural(trace.length, "step")} that the other cannot follow
      </caption>
      <thead>
        <tr>
          <th scope="col">step</th>
          <th scope="col">{titles[0]}</th>
          <th scope="col">{titles[1]}</th>
        </tr>
      </thead>
      <tbody>
        {trace.map((action, i) => {
          const does = <code>{action}</code>;
          const fails = <strong class="violated">{cannot}</strong>;
          return (
            <tr key={i} class={i === last ? "last" : undefined}>
              <td class="number">{i + 1}</td>
              <td>{i < last || isLeft ? does : fails}</td>
              <td>{i < last || !isLeft ? does : fails}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

// What stands on the other side: a system of this text, the text on disk or one that was checked, or another file.
type Other = { kind: "name"; name: string } | { kind: "text"; text: string; title: string } | { kind: "file"; path: string };

const kOthers = [
  ["text", "older texts of this file"],
  ["name", "in this text"],
  ["file", "other files"],
] as const;

function olderTexts(): { title: string; text: string }[] {
  const doc = state.doc;
  if (doc === undefined) return [];
  const out: { title: string; text: string }[] = [];
  if (doc.text !== doc.saved) out.push({ title: "this file as it is on disk", text: doc.saved });
  const seen = new Set([doc.text, doc.saved]);
  for (const job of Object.values(state.jobs).reverse())
    if (job.path === doc.path && job.text !== "" && !seen.has(job.text)) {
      seen.add(job.text);
      out.push({ title: `the text of ${job.id} (${job.commandLine.split(" ").slice(-4).join(" ")})`, text: job.text });
    }
  return out;
}

interface Choice {
  value: string;
  title: string;
  other: Other;
}

// All that the open text can be compared with. Of files, first the one that this was made from, or of this.
function choicesFor(path: string, names: string[], files: string[]): Choice[] {
  const sibling = path.includes("_broken.") ? path.replace("_broken.", ".") : path.replace(/(\.\w+)$/, "_broken$1");
  const others = files.filter((p) => p !== path && /\.(lts|fsp|aut|json)$/.test(p)).sort((a, b) => Number(b === sibling) - Number(a === sibling));
  return [
    ...names.map((name) => ({ value: `n ${name}`, title: name, other: { kind: "name", name } as Other })),
    ...olderTexts().map((o, i) => ({ value: `t ${i}`, title: o.title, other: { kind: "text", ...o } as Other })),
    ...others.map((p) => ({ value: `f ${p}`, title: p.replace(/^examples:/, ""), other: { kind: "file", path: p } as Other })),
  ];
}

// What is asked of the program. `otherName`: which system of the other text; `kind`: by what, or empty.
function question(path: string, left: string, other: Other, otherName: string, kind: string): Options {
  const asked: Options = {};
  if (left !== "") asked.name = left;
  if (kind !== "") asked.equivalence = kind;
  if (state.how.time !== undefined) asked.time = state.how.time;
  if (Object.keys(state.define).length > 0) asked.define = { ...state.define };
  const suffix = otherName === "" ? "" : `:${otherName}`;
  if (other.kind === "name") asked.other = `${path}:${other.name}`;
  if (other.kind === "text") Object.assign(asked, { other: `${path}${suffix}`, other_text: other.text });
  if (other.kind === "file") asked.other = `${other.path}${suffix}`;
  return asked;
}

// How the two sides are called where they are in different texts.
function titlesOf(path: string, other: Other): [string, string] {
  if (other.kind === "text") return ["this text", "the older text"];
  return other.kind === "file" ? [lastName(path), lastName(other.path)] : ["", ""];
}

export function Compare() {
  const doc = useStore((s) => s.doc);
  useStore((s) => s.jobs);
  const files = useStore((s) => (s.doc?.path.startsWith("examples:") ? s.hello?.examples : s.files));
  const names = useNames();
  const [left, setLeft] = useState("");
  const [chosen, setChosen] = useState("");
  const [otherName, setOtherName] = useState("");
  const [kind, setKind] = useState("");
  const [job, setJob] = useState<string>();
  const [titles, setTitles] = useState<[string, string]>(["", ""]); // of what was compared
  const [isBusy, setBusy] = useState(false);
  const report = useStore((s) => (job === undefined ? undefined : (s.jobs[job]?.report as Compared | undefined)));
  if (doc === undefined) return <p class="empty">Open a model; two of its systems, or two versions of it, can be compared here.</p>;
  const choices = choicesFor(doc.path, names, (files ?? []).map((f) => f.path));
  const other = choices.find((c) => c.value === chosen)?.other;

  const run = async () => {
    if (other === undefined) return;
    setTitles(titlesOf(doc.path, other));
    setBusy(true);
    try {
      setJob((await runJob({ command: "compare", path: doc.path, options: question(doc.path, left, other, otherName, kind) })).id);
    } catch (e) {
      failed(e);
    } finally {
      setBusy(false);
    }
  };

  return (
    <div class="compare">
      <form
        class="bar"
        onSubmit={(e) => {
          e.preventDefault();
          void run();
        }}
      >
        <label>
          compare{" "}
          <select value={left} onChange={(e) => setLeft(e.currentTarget.value)}>
            <option value="">the system of this text</option>
            <Values of={names} />
          </select>
        </label>
        <label>
          with{" "}
          <select value={chosen} onChange={(e) => setChosen(e.currentTarget.value)}>
            <option value="">choose …</option>
            <OtherGroups choices={choices} />
          </select>
        </label>
        {(other?.kind === "text" || other?.kind === "file") && (
          <label>
            of it{" "}
            <input list="compare-names" value={otherName} placeholder="its system" onInput={(e) => setOtherName(e.currentTarget.value.trim())} />
            <datalist id="compare-names">
              <Values of={names} />
            </datalist>
          </label>
        )}
        <label>
          by{" "}
          <select value={kind} onChange={(e) => setKind(e.currentTarget.value)}>
            <option value="">all three</option>
            <Values of={kKinds} />
          </select>
        </label>
        <button type="submit" class="first" disabled={other === undefined || isBusy}>
          {isBusy ? "comparing …" : "▸ compare"}
        </button>
      </form>
      {report === undefined && !isBusy && (
        <p class="dim about">
          Are two systems equivalent: do they have the same traces, can each answer every step of the other? Take two of this text, this text and
          an older version of it, or another file. Where they differ, the steps that tell them apart are shown.
        </p>
      )}
      {report !== undefined && <Answer report={report} leftName={left || "this text"} titles={titles} />}
    </div>
  );
}

function Values({ of }: { of: readonly string[] }) {
  return (
    <>
      {of.map((value) => (
        <option key={value} value={value}>
          {value}
        </option>
      ))}
    </>
  );
}

function OtherGroups({ choices }: { choices: Choice[] }) {
  return (
    <>
      {kOthers.map(([kind, title]) => {
        const its = choices.filter((c) => c.other.kind === kind);
        if (its.length === 0) return null;
        return (
          <optgroup key={kind} label={title}>
            {its.map((c) => (
              <option key={c.value} value={c.value}>
                {c.title}
              </option>
            ))}
          </optgroup>
        );
      })}
    </>
  );
}

// Two systems of one name are told apart by where they are from.
const titleOf = (name: string, where: string): string => (where === "" ? name : name.replace(/ \((first|second)\)$/, ` of ${where}`));

function Answer({ report, leftName, titles }: { report: Compared; leftName: string; titles: [string, string] }) {
  const kinds = kKinds.filter((k) => report[k] !== undefined);
  const different = kinds.filter((k) => !report[k]!.equivalent);
  const [left, right] = report.names ?? [leftName, "the other"];
  const groups = new Map<string, (typeof kKinds)[number][]>();
  for (const k of different) {
    const key = JSON.stringify([report[k]!.trace, report[k]!.only_in, report[k]!.by_trace]);
    groups.set(key, [...(groups.get(key) ?? []), k]);
  }
  return (
    <div role="status">
      {report.errors?.map((e) => (
        <p key={e.message} class="error-text">
          {e.message} {e.hint !== undefined && `(${e.hint})`}
        </p>
      ))}
      {report.verdict === "unknown" && <p class="unknown">? unknown: {report.why}</p>}
      <p class="bar">
        {kinds.map((k) => (
          <Verdict key={k} kind={k} play={report[k]!} />
        ))}
      </p>
      {[...groups.values()].map((same) => (
        <section key={same.join()}>
          <h3>{same.map((k) => kTitles[k]).join(", ")}</h3>
          <Plays kind={same[0]!} play={report[same[0]!]!} left={left} right={right} titles={[titleOf(left, titles[0]), titleOf(right, titles[1])]} />
        </section>
      ))}
    </div>
  );
}
