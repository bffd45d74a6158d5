// The shown machine as a file.
import { say } from "../actions";
import { saveText } from "../hand-out";
import { kFormats, write } from "./formats";
import type { Machine } from "./machines";

export function SaveMenu({ machine, svg }: { machine: Machine; svg: () => string | undefined }) {
  const base = machine.name.replace(/[^\w.-]+/g, "_").replace(/^_+|_+$/g, "") || "machine";
  const save = (format: string): void => {
    const text = format === "svg" ? svg() : write(machine, format as (typeof kFormats)[number]);
    if (text === undefined) {
      say(
        format === "svg" ? "there is no SVG of so many states" : "FSP has no words for some of its actions: take .aut or .json",
        "error",
      );
      return;
    }
    saveText(text, `${base}.${format}`, format === "svg" ? "image/svg+xml" : format === "json" ? "application/json" : "text/plain");
  };
  return (
    <label>
      <span class="unseen">save as</span>
      <select
        value=""
        onChange={(e) => {
          save(e.currentTarget.value);
          e.currentTarget.value = "";
        }}
      >
        <option value="">save …</option>
        {["svg", ...kFormats].map((f) => (
          <option key={f} value={f}>
            .{f}
          </option>
        ))}
      </select>
    </label>
  );
}
