// Under the text: what is wrong with it, or where a name is used.
import { change, useStore } from "../store";
import type { Diagnostic } from "../types";
import { editorCommand } from "./commands";
import { isAboutList, kSeverity } from "./problems";

const kWords = { error: "✗ error", warning: "! warning", info: "i note", hint: "i hint" } as const;

function Problem({ d }: { d: Diagnostic }) {
  const kind = kSeverity[d.severity];
  return (
    <li>
      <button class="plain" onClick={() => editorCommand("goto", d.range.start)}>
        <span class="where">line {d.range.start.line + 1}</span>
        <strong class={kind === "error" ? "violated" : kind === "warning" ? "running" : "holds"}>{kWords[kind]}</strong> {d.message}
      </button>
      {d.data?.replacement !== undefined && (
        <button
          onClick={() => {
            editorCommand("goto", d.range.start);
            requestAnimationFrame(() => editorCommand("fix"));
          }}
        >
          replace by <code>{d.data.replacement}</code>
        </button>
      )}
    </li>
  );
}

// Names are looked at when the grammar has nothing to say; so there may be more than what is listed, and a note says so.
export function ProblemList() {
  const model = useStore((s) => s.model);
  const references = useStore((s) => s.references);
  if (references !== undefined)
    return (
      <section class="problems" aria-label={`references of ${references.word}`}>
        <h2>
          <span>
            <code>{references.word}</code> is in {references.lines.length} lines
          </span>
          <button class="plain" onClick={() => change((s) => (s.references = undefined))}>
            close
          </button>
        </h2>
        <ul>
          {references.lines.map((l) => (
            <li key={l.line}>
              <button class="plain" onClick={() => editorCommand("goto", { line: l.line - 1, character: 0 })}>
                <span class="where">line {l.line}</span>
                <code>{l.text}</code>
              </button>
            </li>
          ))}
        </ul>
      </section>
    );
  const all = model?.diagnostics ?? [];
  const found = all.filter((d) => !isAboutList(d));
  const notes = all.filter(isAboutList);
  if (found.length === 0) return null;
  const errors = found.filter((d) => d.severity === 1).length;
  const others = found.length - errors;
  const parts = [
    errors > 0 ? `${errors} error${errors === 1 ? "" : "s"}` : "",
    others > 0 ? `${others} warning${others === 1 ? "" : "s"}` : "",
  ].filter((p) => p !== "");
  return (
    <section class="problems" aria-label="problems">
      <h2>
        <span>{parts.join(", ")}</span>
        {notes.map((d) => (
          <span key={d.message} class="dim">
            {d.message}
          </span>
        ))}
      </h2>
      <ul>
        {found.map((d, i) => (
          <Problem key={`${i} ${d.message}`} d={d} />
        ))}
      </ul>
    </section>
  );
}
