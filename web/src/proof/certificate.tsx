// The certificate of a proof: what it rests on, whether the independent checker has accepted it, and what it says if asked
// again; where it is saved; what is in it.
import { useEffect, useRef, useState } from "preact/hooks";
import * as api from "../api";
import { plural } from "../format";
import { failed, say } from "../messages";
import type { CheckRun, Premise } from "../recording";
import { change, useStore } from "../store";
import type { Job } from "../store";
import { recheck, recheckOf } from "./recheck";
import type { Certified, Recheck } from "./recheck";
import { signs } from "./words";

const kShown = 12; // premises that are listed at once
const kMostText = 20_000; // of a certificate

export function Certificate({ job, check, older }: { job: Job; check: CheckRun; older: string }) {
  const its = useStore(() => recheckOf(job.id));
  const verdict = check.verdict;
  if (verdict?.verdict !== "holds") return null;
  if (!verdict.certified)
    return (
      <section class="certificate" aria-label="certificate" data-certificate>
        <p>
          no certificate{verdict.not_certified === undefined ? "" : `: ${verdict.not_certified}`}
        </p>
      </section>
    );
  return (
    <section class="certificate" aria-label="certificate" data-certificate>
      <p class="bar">
        <b>certificate</b>
        <span>
          rule {verdict.method}, {plural(check.premises.length, "premise")}, checked by the independent checker
        </span>
        {older !== "" && <span class="badge older">{older}</span>}
        {job.lost ? (
          <span class="dim">the server that has it has ended; run the check again</span>
        ) : (
          <span class="bar">
            <button type="button" aria-disabled={its?.state === "running"} onClick={() => its?.state !== "running" && void recheck(job)}>
              {its?.state === "running" ? "re-checking …" : "⟳ re-check"}
            </button>
            <Save job={job} check={check} />
          </span>
        )}
      </p>
      {its === undefined ? <Premises premises={check.premises} title="premises" /> : <Rechecked its={its} older={older} />}
      {!job.lost && <Inside job={job.name} />}
    </section>
  );
}

export function Premises({ premises, title }: { premises: readonly Premise[]; title: string }) {
  if (premises.length === 0) return null;
  const broken = premises.filter((p) => !p.holds);
  const shown = premises.length <= kShown ? premises : broken;
  const list = (some: readonly Premise[]) => (
    <ol class="premises">
      {some.map((p, i) => (
        <li key={i} class={p.holds ? "holds" : "violated"}>
          <span aria-hidden="true">{p.holds ? "✓" : "✗"}</span> {signs(p.text)}: {p.holds ? "holds" : "fails"}
          <span class="dim">, {plural(p.states, "state")} searched</span>
        </li>
      ))}
    </ol>
  );
  return (
    <>
      {shown.length > 0 && list(shown)}
      {shown.length < premises.length && (
        <details>
          <summary>
            all {premises.length} {title}
            {broken.length === 0 ? ", all of which hold" : ""}
          </summary>
          {list(premises)}
        </details>
      )}
    </>
  );
}

function Rechecked({ its, older }: { its: Recheck; older: string }) {
  const premises = its.recording.checks.flatMap((c) => c.premises);
  return (
    <div class="rechecked" role="status">
      {its.state === "failed" && <p class="violated">✗ the re-check could not be done: {its.failure}</p>}
      {its.report !== undefined && <Outcome report={its.report} older={older} />}
      <Premises premises={premises} title="premises" />
    </div>
  );
}

function Outcome({ report, older }: { report: Certified; older: string }) {
  if (report.errors !== undefined)
    return (
      <div class="refused">
        {report.errors.map((e, i) => (
          <p key={i} class="violated">
            ✗ {e.file === undefined ? "" : `${e.file}: `}
            {e.message}
            {e.hint === undefined ? "" : ` (${e.hint})`}
          </p>
        ))}
      </div>
    );
  if (report.accepted)
    return (
      <p class="holds">
        ✓ accepted: every premise holds{older === "" ? "" : ", about the text and the constants that it was made from"}
      </p>
    );
  if (!report.finished) return <p class="unknown">? not finished: the budget ended</p>;
  const refused = (report.proofs ?? []).filter((p) => !p.accepted);
  return (
    <div class="refused">
      <p class="violated">✗ refused{report.reason === undefined ? "" : `: ${report.reason}`}</p>
      {refused.map((p, i) => (
        <div key={i}>
          <p>
            {p.kind} {p.property ?? ""}, rule {p.rule}: {p.reason ?? "refused"}
          </p>
          {p.trace !== undefined && p.trace.length > 0 && <p class="mono">{p.trace.join(", ")}</p>}
        </div>
      ))}
    </div>
  );
}

// Beside its inputs, under a name that can be changed.
function Save({ job, check }: { job: Job; check: CheckRun }) {
  const readOnly = useStore((s) => s.hello?.read_only ?? false);
  const [path, setPath] = useState<string>();
  const opener = useRef<HTMLButtonElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const isOpen = path !== undefined;
  const wasOpen = useRef(false);
  useEffect(() => {
    if (isOpen) input.current?.focus();
    else if (wasOpen.current) opener.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const proposed = `${job.path.replace(/^examples:/, "").replace(/\.\w+$/, "")}.${(check.property ?? check.kind).replace(/[^\w.-]+/g, "_")}.json`;
  if (readOnly) return null;
  if (path === undefined)
    return (
      <button type="button" ref={opener} onClick={() => setPath(proposed)}>
        save
      </button>
    );
  const save = async (): Promise<void> => {
    try {
      await api.saveCertificate(job.name, path);
      say(`the certificate is in ${path}`);
      setPath(undefined);
      const files = await api.files();
      change((s) => (s.files = files));
    } catch (e) {
      failed(e);
    }
  };
  return (
    <form
      class="bar save-certificate"
      onSubmit={(e) => {
        e.preventDefault();
        void save();
      }}
    >
      <label>
        as <input type="text" value={path} onInput={(e) => setPath(e.currentTarget.value)} ref={input} />
      </label>
      <button type="submit" class="first">
        save
      </button>
      <button type="button" onClick={() => setPath(undefined)}>
        not now
      </button>
    </form>
  );
}

interface Content {
  certificate?: string;
  system?: string;
  define?: Record<string, string | number>;
  inputs?: { file: string; sha256: string }[];
  read?: { file: string; sha256: string }[];
  proofs?: { kind: string; property?: string; rule: string; split?: string[][]; assumptions?: { states?: number }[] }[];
}

function Inside({ job }: { job: string }) {
  const [open, setOpen] = useState(false);
  const [content, setContent] = useState<Content>();
  const [text, setText] = useState("");
  useEffect(() => {
    setContent(undefined);
    if (!open) return;
    let gone = false;
    api
      .certificate(job)
      .then((found) => {
        if (gone) return;
        setContent(found as Content);
        setText(JSON.stringify(found));
      })
      .catch((e) => {
        if (!gone) failed(e);
      });
    return () => {
      gone = true;
    };
  }, [open, job]);
  return (
    <details open={open} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary>what is in it</summary>
      {content !== undefined && (
        <>
          <dl>
            <dt>made by</dt>
            <dd>{content.certificate}</dd>
            <dt>system</dt>
            <dd>
              {content.system}
              {Object.entries(content.define ?? {}).map(([name, value]) => `, ${name} = ${value}`)}
            </dd>
            {[...(content.inputs ?? []), ...(content.read ?? [])].map((input) => (
              <>
                <dt>file</dt>
                <dd>
                  {input.file} <span class="mono dim">sha256 {input.sha256.slice(0, 16)}…</span>
                </dd>
              </>
            ))}
            {(content.proofs ?? []).map((p) => (
              <>
                <dt>proof</dt>
                <dd>
                  {p.kind} {p.property ?? ""} by rule {p.rule}
                  {p.split !== undefined && p.split.length > 0 ? `, sides ${p.split.map((s) => s.join(" ")).join(" │ ")}` : ""}
                  {p.assumptions !== undefined && p.assumptions.length > 0
                    ? `, with ${p.assumptions.length === 1 ? "an assumption" : `${p.assumptions.length} assumptions`} of ${p.assumptions.map((a) => a.states ?? "?").join(", ")} states`
                    : ""}
                </dd>
              </>
            ))}
          </dl>
          <details>
            <summary>as it is written ({plural(text.length, "character")})</summary>
            <pre class="mono certificate-text" tabIndex={0}>
              {text.length > kMostText ? `${text.slice(0, kMostText)} ⋯` : text}
            </pre>
          </details>
        </>
      )}
    </details>
  );
}
