// What becomes of an assumption: it is saved as FSP, .aut or .svg, or it is the beginning of one's own, which is then
// tried in its place (--assumption).
import { useEffect, useRef, useState } from "preact/hooks";
import * as api from "../api";
import { failed } from "../messages";
import { saveText } from "../hand-out";
import type { Job } from "../store";
import { runJob } from "../actions";
import { nameOf } from "../rows";
import type { CheckRun } from "../recording";

export interface Shown {
  of: string; // as the server names it: "assumption.1"
  k?: number; // which conjecture; nothing: the one of the proof
  name: string; // of files
  svg?: () => string | undefined;
}

async function save(job: string, shown: Shown, format: "lts" | "aut"): Promise<void> {
  try {
    saveText(await api.ltsText(job, shown.of, shown.k, format), `${shown.name}.${format}`);
  } catch (e) {
    failed(e);
  }
}

export function SaveAs({ job, shown }: { job: string; shown: Shown }) {
  const svg = (): void => {
    const text = shown.svg?.();
    if (text !== undefined) saveText(text, `${shown.name}.svg`, "image/svg+xml");
  };
  return (
    <span class="bar" role="group" aria-label="save this assumption">
      <span>this one as</span>
      <button type="button" onClick={() => void save(job, shown, "lts")}>
        FSP
      </button>
      <button type="button" onClick={() => void save(job, shown, "aut")}>
        .aut
      </button>
      <button type="button" disabled={shown.svg === undefined} onClick={svg}>
        .svg
      </button>
    </span>
  );
}

export const kOwnName = "OWN";
const kOwnFile = "own_assumption.lts";

// The text of an assumption with the name that is asked for by --assumption.
export function ownText(fsp: string): string {
  return fsp.trimEnd().replace(/^\s*[A-Z]\w*(?=\s*=)/, kOwnName) + "\n";
}

export const ownNameOf = (text: string): string | undefined => /^\s*(?:\/\/.*\n|\/\*[^]*?\*\/|\s)*([A-Z]\w*)\s*=/.exec(text)?.[1];

interface TryProps {
  job: Job;
  check: CheckRun;
  split: string[][] | undefined;
  text: () => Promise<string>; // of the conjecture that is shown
}

// An editor with this assumption. The rest has to keep it, and M1 with it has to keep the property: the answer says which
// of the two fails.
export function TryOwn({ job, check, split, text }: TryProps) {
  const [own, setOwn] = useState<string>();
  const [busy, setBusy] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const opened = own !== undefined;
  useEffect(() => {
    if (opened) area.current?.focus();
  }, [opened]);
  const open = async (): Promise<void> => {
    try {
      setOwn(ownText(await text()));
    } catch (e) {
      failed(e);
    }
  };
  const run = async (): Promise<void> => {
    const name = ownNameOf(own ?? "");
    if (own === undefined || name === undefined) return;
    setBusy(true);
    const { define, system, cells, time } = job.options;
    const options = {
      ...(define === undefined ? {} : { define }),
      ...(system === undefined ? {} : { system }),
      ...(cells === undefined ? {} : { cells }),
      ...(time === undefined ? {} : { time }),
      ...(split === undefined ? {} : { split: split.map((side) => side.join(",")).join(" | ") }),
      method: "asym",
      property: [nameOf(check)],
      assumption: `${kOwnFile}:${name}`,
      texts: { [kOwnFile]: own },
    };
    try {
      await runJob({ command: "check", path: job.path, text: job.text, options });
    } catch (e) {
      failed(e);
    } finally {
      setBusy(false);
    }
  };
  if (own === undefined)
    return (
      <button type="button" aria-expanded="false" onClick={() => void open()}>
        try my own assumption ▸
      </button>
    );
  const named = ownNameOf(own) !== undefined;
  return (
    <form
      class="try-own"
      onSubmit={(e) => {
        e.preventDefault();
        void run();
      }}
    >
      <label for="own-assumption">my own assumption, in FSP: M₂ has to keep it, and with it M₁ has to keep the property</label>
      <textarea
        id="own-assumption"
        ref={area}
        class="mono"
        rows={Math.min(16, own.split("\n").length + 1)}
        spellcheck={false}
        value={own}
        onInput={(e) => setOwn(e.currentTarget.value)}
        onKeyDown={(e) => {
          if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) {
            e.preventDefault();
            e.stopPropagation();
            void run();
          }
        }}
      />
      {!named && <p class="error-text">it should begin with a process: NAME = …</p>}
      <span class="bar">
        <button type="submit" class="first" disabled={!named || busy}>
          {busy ? "trying …" : "try it"}
        </button>
        <button type="button" onClick={() => setOwn(undefined)}>
          close
        </button>
      </span>
    </form>
  );
}
