// Saving under a name, and what to do if the file has changed on disk.
import { useState } from "preact/hooks";
import { discardDraft, newFile, saveFile } from "../actions";
import { editorCommand } from "../editor/commands";
import { overwrite } from "../document";
import { lastName } from "../format";
import { change, state, useStore } from "../store";
import { Dialog } from "./dialog";

export function SaveAs() {
  const readOnly = useStore((s) => s.hello?.read_only ?? false);
  const folder = useStore((s) => s.hello?.folder ?? "");
  const [name, setName] = useState(() => {
    const path = state.doc?.path ?? "model.lts";
    return path.startsWith("examples:") ? lastName(path) : path;
  });
  const [wrong, setWrong] = useState("");
  const known = state.files.some((f) => f.path === name.trim());
  if (readOnly)
    return (
      <Dialog title="Nothing can be saved">
        <p>
          The server was started with <code>--read-only</code>. What you write stays in this browser as a draft.
        </p>
      </Dialog>
    );
  return (
    <Dialog title="Save as">
      <form
        class="save-as"
        onSubmit={(e) => {
          e.preventDefault();
          const path = name.trim();
          if (path === "") return;
          setWrong("");
          void saveFile(path).then((done) => {
            if (done) change((s) => (s.dialog = undefined));
            else setWrong(state.message?.text ?? "it could not be saved");
          });
        }}
      >
        <label>
          name in {folder}
          <input autofocus value={name} onInput={(e) => setName(e.currentTarget.value)} />
        </label>
        {known && <p class="error-text">There is a file of this name; saving replaces it.</p>}
        {wrong !== "" && <p class="error-text">{wrong}</p>}
        <div class="bar">
          <span class="spring" />
          <button type="submit" class="first">
            save
          </button>
        </div>
      </form>
    </Dialog>
  );
}

// The ending says the language.
export function NewFile() {
  const folder = useStore((s) => s.hello?.folder ?? "");
  const [name, setName] = useState("model.lts");
  const [wrong, setWrong] = useState("");
  const path = name.trim();
  const known = state.files.some((f) => f.path === path);
  return (
    <Dialog title="New file">
      <form
        class="save-as"
        onSubmit={(e) => {
          e.preventDefault();
          if (path === "" || known) return;
          setWrong("");
          void newFile(path).then((done) => {
            if (!done) return setWrong(state.message?.text ?? "it could not be made");
            change((s) => {
              s.dialog = undefined;
              s.view = "text";
            });
            requestAnimationFrame(() => editorCommand("focus")); // after the dialog has given the focus back
          });
        }}
      >
        <label>
          name in {folder}: .lts for FSP, .pml for Promela, .adb for Ada
          <input autofocus value={name} onInput={(e) => setName(e.currentTarget.value)} />
        </label>
        {known && <p class="error-text">There is a file of this name.</p>}
        {wrong !== "" && <p class="error-text">{wrong}</p>}
        <div class="bar">
          <span class="spring" />
          <button type="submit" class="first" disabled={path === "" || known}>
            create
          </button>
        </div>
      </form>
    </Dialog>
  );
}

export function Changed() {
  const path = useStore((s) => s.doc?.path);
  return (
    <Dialog title="The file has changed on disk">
      <p>Somebody else has written {path} since it was opened here.</p>
      <div class="bar">
        <button onClick={() => void overwrite()}>write mine over it</button>
        <button onClick={() => void discardDraft()}>throw mine away and read it</button>
        <button onClick={() => change((s) => (s.dialog = "save-as"))}>save mine under another name</button>
      </div>
    </Dialog>
  );
}
