// The examples in groups: one per case study, with the variants of its models, and each broken variant beside the one
// that it was made from.
import type { Hello } from "../types";

type Example = Hello["examples"][number];

export interface Variant {
  path: string;
  label: string; // ".lts", "ada .lts", ...
  about: string;
  broken?: string; // the path of the broken one
}

export interface Study {
  title: string;
  about: string;
  variants: Variant[];
}

const withoutEnding = (path: string): [string, string] => {
  const dot = path.lastIndexOf(".");
  return dot < 0 ? [path, ""] : [path.slice(0, dot), path.slice(dot)];
};

const lastOf = (path: string): string => path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf(":")) + 1);
const folderOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf("/"), path.lastIndexOf(":")) + 1);

// "gas_station" is "Gas station".
export const titled = (name: string): string => {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export function studies(examples: Example[]): Study[] {
  const paths = new Map(examples.map((e) => [e.path, e]));
  const groups = new Map<string, Example[]>();
  for (const e of examples) {
    const [stem, ending] = withoutEnding(e.path);
    if (stem.endsWith("_broken") && paths.has(stem.slice(0, -"_broken".length) + ending)) continue; // beside the other
    const folder = folderOf(e.path);
    groups.set(folder, [...(groups.get(folder) ?? []), e]);
  }
  return [...groups].map(([folder, members]) => {
    const name = lastOf(folder.replace(/[/:]$/, ""));
    members.sort((a, b) => rank(a.path, name) - rank(b.path, name) || a.path.localeCompare(b.path));
    const first = members[0]!;
    return {
      title: name === "fsp" ? "Small FSP models" : titled(name),
      about: name === "fsp" ? "One idea of the language each" : first.about || first.title,
      variants: members.map((e) => variant(e, name, paths)),
    };
  });
}

// The model of the case study's name first, FSP before Promela before Ada.
function rank(path: string, name: string): number {
  const [stem, ending] = withoutEnding(lastOf(path));
  const order = [".lts", ".fsp", ".pml", ".prom", ".adb", ".aut"].indexOf(ending);
  return (stem === name ? 0 : 10) + (order < 0 ? 9 : order);
}

function variant(e: Example, study: string, paths: Map<string, Example>): Variant {
  const [stem, ending] = withoutEnding(e.path);
  const rest = lastOf(stem);
  const more = rest === study ? "" : rest.startsWith(`${study}_`) ? rest.slice(study.length + 1).replaceAll("_", " ") : rest;
  const broken = `${stem}_broken${ending}`;
  return {
    path: e.path,
    label: labelOf(more, kEndings[ending] ?? ending),
    about: e.title,
    ...(paths.has(broken) ? { broken } : {}),
  };
}

// "FSP", "FSP, after the Ada", "FSP: cells", "input.aut".
function labelOf(more: string, language: string): string {
  if (more === "") return language;
  if (more === "ada") return `${language}, after the Ada`;
  return language.startsWith(".") ? `${more}${language}` : `${language}: ${more}`;
}

const kEndings: Record<string, string> = {
  ".lts": "FSP",
  ".fsp": "FSP",
  ".pml": "Promela",
  ".prom": "Promela",
  ".adb": "Ada",
  ".aut": ".aut",
};

// A tree of files: folders before files, by name.
export interface Folder {
  name: string;
  path: string;
  folders: Folder[];
  files: string[];
}
export function folders(paths: string[]): Folder {
  const root: Folder = { name: "", path: "", folders: [], files: [] };
  for (const path of [...paths].sort((a, b) => a.localeCompare(b))) {
    let at = root;
    const parts = path.split("/");
    for (const part of parts.slice(0, -1)) {
      let next = at.folders.find((f) => f.name === part);
      if (next === undefined) {
        next = { name: part, path: at.path === "" ? part : `${at.path}/${part}`, folders: [], files: [] };
        at.folders.push(next);
      }
      at = next;
    }
    at.files.push(path);
  }
  return root;
}
