// What was run, and what it said: the report in words, what went to standard error, and the report as it came.
import { useEffect, useState } from "preact/hooks";
import { abort, showJob } from "../actions";
import * as api from "../api";
import { plural, seconds } from "../format";
import { copyText, saveText } from "../hand-out";
import { jobOf, useStore } from "../store";
import type { Job } from "../store";
import { endOf, reportText } from "./output-text";

function Entry({ job, isShown }: { job: Job; isShown: boolean }) {
  useStore(() => job.recording.events);
  const end = endOf(job);
  return (
    <li>
      <button class="plain entry" title={job.commandLine} aria-current={isShown ? "true" : undefined} onClick={() => showJob(job.id)}>
        <span class={`end ${end}`}>{end}</span> <code>{job.commandLine}</code>
      </button>
      {job.state !== "done" && (
        <button aria-label={`abort ${job.commandLine}`} onClick={() => void abort(job.id)}>
          ■
        </button>
      )}
    </li>
  );
}

function Said({ job }: { job: Job }) {
  const [errors, setErrors] = useState<string>();
  useEffect(() => {
    setErrors(undefined);
    if (job.state === "done" && !job.lost) void api.standardError(job.name).then(setErrors, () => setErrors(""));
  }, [job.id, job.state]);
  const text = job.report === undefined ? "" : reportText(job.report);
  const { recording } = job;
  return (
    <article class="said-by" aria-label="what it said">
      <div class="bar">
        <span class="dim">
          {endOf(job)}
          {recording.end !== undefined && `, exit status ${recording.end.status}, ${seconds(recording.end.time_s)}`}, {plural(recording.events, "event")}
        </span>
        <span class="spring" />
        <button disabled={text === ""} onClick={() => copyText(text, "the report")}>
          copy
        </button>
        <button
          disabled={job.report === undefined}
          onClick={() => saveText(JSON.stringify(job.report, null, 2), `${job.command}-${job.name}.json`, "application/json")}
        >
          save .json
        </button>
      </div>
      {job.command === "experiment" && <p class="dim">Of an experiment, the report of its last point:</p>}
      <pre tabIndex={0} aria-label="report">
        {text === "" ? (job.state === "done" ? "no report came" : "it is not done yet") : text}
      </pre>
      {errors !== undefined && errors !== "" && (
        <>
          <h3>standard error</h3>
          <pre tabIndex={0} aria-label="standard error">
            {errors}
          </pre>
        </>
      )}
      {job.report !== undefined && (
        <details>
          <summary>the report as JSON</summary>
          <pre tabIndex={0}>{JSON.stringify(job.report, null, 2)}</pre>
        </details>
      )}
    </article>
  );
}

export function Output() {
  const jobs = useStore((s) => s.jobs);
  const shown = useStore(jobOf);
  const list = Object.values(jobs).reverse();
  if (list.length === 0) return <p class="empty">What is run on this page is listed here, with what it says, as in a terminal.</p>;
  return (
    <div class="output">
      <ol class="jobs" aria-label="what was run">
        {list.map((job) => (
          <Entry key={job.id} job={job} isShown={job.id === shown?.id} />
        ))}
      </ol>
      {shown !== undefined && <Said job={shown} />}
    </div>
  );
}
