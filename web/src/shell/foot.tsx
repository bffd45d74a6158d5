// The line below: what the last action was, as it is typed in a terminal; what the page has to say; warnings.
import { editorCommand } from "../editor/commands";
import { change, jobOf, useStore } from "../store";
import { copyText } from "../hand-out";

export function Foot() {
  const commandLine = useStore((s) => s.commandLine);
  const message = useStore((s) => s.message);
  const model = useStore((s) => s.model);
  const report = useStore((s) => jobOf(s)?.report);
  const warnings = (model?.diagnostics.filter((d) => d.severity === 2).length ?? 0) || (report?.warnings?.length ?? 0);
  return (
    <footer class="foot">
      <span class="command">
        {commandLine === undefined ? (
          <span class="dim">what you do here can be done in a terminal; the line for it stands here</span>
        ) : (
          <>
            <code tabIndex={0} aria-label="command line of the last action">
              $ {commandLine}
            </code>
            <button class="plain" onClick={() => copyText(commandLine, "the command line")}>
              copy
            </button>
          </>
        )}
      </span>
      {message !== undefined && (
        <span class={message.kind === "error" ? "said error-text" : "said"}>
          {message.text}
          <button class="plain" aria-label="close this message" onClick={() => change((s) => (s.message = undefined))}>
            ×
          </button>
        </span>
      )}
      {warnings > 0 && (
        <button class="plain running" onClick={() => editorCommand("problem")}>
          {warnings} warning{warnings === 1 ? "" : "s"}
        </button>
      )}
    </footer>
  );
}
