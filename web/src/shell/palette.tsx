// All commands, found by their words: Ctrl-K.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { change } from "../store";
import { allCommands } from "./commands";
import type { Command } from "./commands";
import { Dialog } from "./dialog";
import { matching } from "./match";

const kMost = 60; // shown

export function Palette() {
  const [words, setWords] = useState("");
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const commands = useMemo(allCommands, []);
  const found = matching(commands, words).slice(0, kMost);
  const chosen = Math.min(at, found.length - 1);
  useEffect(() => input.current?.focus(), []);
  useEffect(() => document.getElementById(`command-${chosen}`)?.scrollIntoView({ block: "nearest" }), [chosen]);
  const run = (command: Command | undefined) => {
    if (command === undefined) return;
    change((s) => (s.dialog = undefined));
    setTimeout(command.run, 0); // when the focus is back where it was
  };
  return (
    <Dialog title="Commands">
      <input
        ref={input}
        class="palette-input"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found.length > 0 ? `command-${chosen}` : undefined}
        aria-label="words of a command"
        placeholder="words of a command, a file, a machine …"
        value={words}
        onInput={(e) => {
          setWords(e.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={(e) => {
          const last = found.length - 1;
          if (e.key === "ArrowDown") setAt(chosen >= last ? 0 : chosen + 1);
          else if (e.key === "ArrowUp") setAt(chosen <= 0 ? last : chosen - 1);
          else if (e.key === "Home" && words === "") setAt(0);
          else if (e.key === "End" && words === "") setAt(last);
          else if (e.key === "Enter") run(found[chosen]);
          else return;
          e.preventDefault();
        }}
      />
      <ul id="palette-list" role="listbox" aria-label="commands" class="palette">
        {found.map((c, i) => (
          <li
            key={`${c.group} ${c.title}`}
            id={`command-${i}`}
            role="option"
            aria-selected={i === chosen}
            onClick={() => run(c)}
            onMouseMove={() => setAt(i)}
          >
            <span>{c.title}</span>
            {c.keys !== undefined ? <kbd>{c.keys}</kbd> : <span class="dim">{c.group}</span>}
          </li>
        ))}
      </ul>
      {found.length === 0 && <p class="dim">no command has these words</p>}
    </Dialog>
  );
}
