// Shown while no file is open: what there is to try, and each broken variant beside what it was made from.
import { openFile } from "../actions";
import { editorCommand } from "../editor/commands";
import { change, useStore } from "../store";
import { studies } from "./studies";

// The button that was pressed goes with the gallery; who has pressed it by the keyboard goes on in the text.
async function open(path: string, e: MouseEvent): Promise<void> {
  await openFile(path);
  if (e.detail === 0) requestAnimationFrame(() => editorCommand("focus"));
}

export function Gallery() {
  const examples = useStore((s) => s.hello?.examples);
  const files = useStore((s) => s.files);
  const folder = useStore((s) => s.hello?.folder);
  const readOnly = useStore((s) => s.hello?.read_only ?? false);
  return (
    <section class="gallery" aria-labelledby="gallery-title">
      <h2 id="gallery-title">Open a model</h2>
      <p class="dim">
        {files.length > 0
          ? "Choose one of your files, try an example,"
          : `There is no model in ${folder ?? "this folder"} yet. Try an example, which asks for a name here when it is saved,`}{" "}
        {!readOnly && (
          <button class="plain link" onClick={() => change((s) => (s.dialog = "new-file"))}>
            or begin a new file
          </button>
        )}
      </p>
      <ul>
        {studies(examples ?? []).map((study) => (
          <li key={study.title}>
            <h3>{study.title}</h3>
            <p title={study.about}>{study.about}</p>
            <div class="bar">
              {study.variants.map((v) => (
                <span key={v.path} class="pair">
                  <button onClick={(e) => void open(v.path, e)} title={v.about}>
                    {v.label}
                  </button>
                  {v.broken !== undefined && (
                    <button
                      class="plain"
                      aria-label={`${study.title}, ${v.label}, broken`}
                      title={v.broken}
                      onClick={(e) => void open(v.broken!, e)}
                    >
                      broken
                    </button>
                  )}
                </span>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
