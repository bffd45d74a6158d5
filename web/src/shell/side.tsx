// The left column: the files of the folder, the examples, and the outline of the open text.
import { openFile, refreshFiles } from "../actions";
import { editorCommand } from "../editor/commands";
import { lastName } from "../format";
import { change, useStore } from "../store";
import type { DocumentSymbol } from "../types";
import { breakable } from "../breakable";
import { folders, studies } from "./studies";
import type { Folder } from "./studies";

function FileButton({ path, name }: { path: string; name?: string }) {
  const open = useStore((s) => s.doc?.path);
  return (
    <button class="plain entry" aria-current={open === path ? "true" : undefined} title={path} onClick={() => void openFile(path)}>
      {breakable(name ?? lastName(path))}
    </button>
  );
}

function FolderTree({ folder }: { folder: Folder }) {
  const open = useStore((s) => s.doc?.path ?? "");
  return (
    <ul>
      {folder.folders.map((f) => (
        <li key={f.path}>
          <details open={folder.folders.length < 6 || open.startsWith(`${f.path}/`)}>
            <summary>{breakable(f.name)}</summary>
            <FolderTree folder={f} />
          </details>
        </li>
      ))}
      {folder.files.map((path) => (
        <li key={path}>
          <FileButton path={path} />
        </li>
      ))}
    </ul>
  );
}

function Files() {
  const files = useStore((s) => s.files);
  const name = useStore((s) => s.hello?.folder);
  const readOnly = useStore((s) => s.hello?.read_only ?? false);
  return (
    <details open class="section">
      <summary>
        <h2>Files{name !== undefined && <span class="dim"> in {name}</span>}</h2>
      </summary>
      {files.length === 0 ? <p class="dim">no models here yet</p> : <FolderTree folder={folders(files.map((f) => f.path))} />}
      {!readOnly && (
        <button class="plain entry dim" onClick={() => change((s) => (s.dialog = "new-file"))}>
          new file…
        </button>
      )}
      <button class="plain entry dim" onClick={() => void refreshFiles()}>
        look again
      </button>
    </details>
  );
}

function Examples() {
  const examples = useStore((s) => s.hello?.examples);
  const open = useStore((s) => s.doc?.path);
  const hasFiles = useStore((s) => s.files.length > 0);
  return (
    <details open={!hasFiles} class="section">
      <summary>
        <h2>Examples</h2>
      </summary>
      <ul>
        {studies(examples ?? []).map((study) => (
          <li key={study.title}>
            <details open={study.variants.some((v) => open !== undefined && (v.path === open || v.broken === open))}>
              <summary title={study.about}>{study.title}</summary>
              <ul>
                {study.variants.map((v) => (
                  <li key={v.path} class="pair">
                    <FileButton path={v.path} name={v.label} />
                    {v.broken !== undefined && <FileButton path={v.broken} name="broken" />}
                  </li>
                ))}
              </ul>
            </details>
          </li>
        ))}
      </ul>
    </details>
  );
}

const kGroups: [number[], string][] = [
  [[2], "systems"],
  [[7], "properties"],
  [[5], "processes"],
];
const kNamed = kGroups.flatMap(([kinds]) => kinds);

function Symbols({ list }: { list: DocumentSymbol[] }) {
  return (
    <ul>
      {list.map((s) => (
        <li key={`${s.name} ${s.range.start.line}`}>
          <button class="plain entry" title={s.detail ?? s.name} onClick={() => editorCommand("goto", s.range.start)}>
            {breakable(s.name)}
          </button>
          {s.children !== undefined && s.children.length > 0 && <Symbols list={s.children} />}
        </li>
      ))}
    </ul>
  );
}

// What models are made of, by kind; of a program, whose units stand in each other, in the order of the text.
function Outline() {
  const symbols = useStore((s) => s.model?.symbols);
  const language = useStore((s) => s.doc?.language);
  if (language === undefined || symbols === undefined || symbols.length === 0) return null;
  const groups: [string, DocumentSymbol[]][] =
    language === "ada"
      ? [["", symbols]]
      : [
          ...kGroups.map(([kinds, title]): [string, DocumentSymbol[]] => [title, symbols.filter((s) => kinds.includes(s.kind))]),
          ["names", symbols.filter((s) => !kNamed.includes(s.kind))],
        ];
  return (
    <details open class="section">
      <summary>
        <h2>Outline</h2>
      </summary>
      {groups
        .filter(([, list]) => list.length > 0)
        .map(([title, list]) => (
          <div key={title}>
            {title !== "" && <h3 class="dim">{title}</h3>}
            <Symbols list={list} />
          </div>
        ))}
    </details>
  );
}

export function Side() {
  return (
    <nav id="side" class="side" aria-label="files and outline">
      <Files />
      <Examples />
      <Outline />
    </nav>
  );
}
