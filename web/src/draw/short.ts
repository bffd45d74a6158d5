// LTSA's short form of a set of actions: `way[1..2].{green,red}` for way.1.green, way.1.red, way.2.green, way.2.red.
//
// Names are cut at their dots into a tree. Siblings whose subtrees are equal are written once: numbers in a row as a
// range, words in braces. `expand` is the inverse. A name that is no FSP label stands in quotes and is taken as it is.

interface Tree {
  ends: boolean; // a name ends here
  next: Map<string, Tree>;
}

const kLabel = /^[A-Za-z_]\w*(\.[\w-]+)*$/;
const kNumber = /^(0|-?[1-9]\d{0,14})$/;
const empty = (): Tree => ({ ends: false, next: new Map() });

// Equal subtrees have equal texts.
function signature(tree: Tree): string {
  const parts = [...tree.next].map(([segment, child]) => `${segment}(${signature(child)})`).sort();
  return (tree.ends ? "!" : "") + parts.join("");
}

// Numbers in a row become one range each.
function ranges(numbers: number[]): string[] {
  const sorted = [...numbers].sort((a, b) => a - b);
  const out: string[] = [];
  for (let i = 0; i < sorted.length; ) {
    let j = i;
    while (sorted[j + 1] === sorted[j]! + 1) ++j;
    out.push(i === j ? `[${sorted[i]}]` : `[${sorted[i]}..${sorted[j]}]`);
    i = j + 1;
  }
  return out;
}

const set = (items: string[]): string => (items.length === 1 ? items[0]! : `{${items.join(",")}}`);

// What can follow, each as a text that begins with `.` or `[`, or is empty; at the top words begin with nothing.
function tails(tree: Tree): string[] {
  const out: string[] = tree.ends ? [""] : [];
  const groups = new Map<string, { words: string[]; numbers: number[]; tree: Tree }>();
  for (const [segment, child] of tree.next) {
    const key = signature(child);
    let group = groups.get(key);
    if (group === undefined) groups.set(key, (group = { words: [], numbers: [], tree: child }));
    if (kNumber.test(segment)) group.numbers.push(Number(segment));
    else group.words.push(segment);
  }
  const leaves: string[] = []; // words after a dot share one pair of braces
  for (const group of groups.values()) {
    const after = tails(group.tree);
    const dotted = after.filter((t) => t.startsWith(".")).map((t) => t.slice(1));
    const rest = after.filter((t) => !t.startsWith("."));
    if (dotted.length > 0) rest.push("." + set(dotted));
    for (const tail of rest) {
      for (const range of ranges(group.numbers)) out.push(range + tail);
      if (group.words.length === 0) continue;
      if (tail === "") leaves.push(...group.words);
      else leaves.push(set(group.words) + tail);
    }
  }
  return out.concat(leaves.map((l) => "." + l));
}

export function shorten(actions: readonly string[]): string[] {
  const root = empty();
  const quoted: string[] = [];
  for (const action of actions) {
    if (!kLabel.test(action)) {
      quoted.push(`'${action.replaceAll("'", "''")}'`);
      continue;
    }
    let at = root;
    for (const segment of action.split(".")) {
      let child = at.next.get(segment);
      if (child === undefined) at.next.set(segment, (child = empty()));
      at = child;
    }
    at.ends = true;
  }
  return tails(root)
    .map((t) => t.slice(1))
    .concat(quoted);
}

// All names that an item of a short form stands for.
export function expand(item: string): string[] {
  if (item.startsWith("'")) return [item.slice(1, -1).replaceAll("''", "'")];
  let at = 0;
  const list = (end: string): string[] => {
    const out: string[] = [];
    for (;;) {
      out.push(...sequence());
      if (item[at] !== ",") break;
      ++at;
    }
    if (item[at] !== end) throw new Error(`'${end}' expected in '${item}' at ${at}`);
    ++at;
    return out;
  };
  const sequence = (): string[] => {
    let heads: string[] = [""];
    for (;;) {
      let choices: string[];
      if (item[at] === "[") {
        const found = /^\[(-?\d+)(?:\.\.(-?\d+))?\]/.exec(item.slice(at));
        if (!found) throw new Error(`a range expected in '${item}' at ${at}`);
        at += found[0].length;
        const first = Number(found[1]);
        const last = Number(found[2] ?? found[1]);
        choices = Array.from({ length: last - first + 1 }, (_, i) => String(first + i));
      } else {
        if (item[at] === ".") ++at;
        if (item[at] === "{") {
          ++at;
          choices = list("}");
        } else {
          const found = /^[\w-]+/.exec(item.slice(at));
          if (!found) throw new Error(`a name expected in '${item}' at ${at}`);
          at += found[0].length;
          choices = [found[0]];
        }
      }
      heads = heads.flatMap((h) => choices.map((c) => (h === "" ? c : `${h}.${c}`)));
      if (item[at] !== "." && item[at] !== "[") return heads;
    }
  };
  const out = sequence();
  if (at !== item.length) throw new Error(`'${item}' ends early at ${at}`);
  return out;
}

// An arc's label: the short form in lines of some 26 characters, three at most; what is left out is counted.
export function labelLines(actions: readonly string[], width = 26, most = 3): string[] {
  const items = actions.length === 1 ? [actions[0]!] : shorten(actions);
  const lines: string[] = [];
  let left = items.length;
  for (const item of items) {
    const short = item.length > width + 6 ? item.slice(0, width + 4) + "…" : item;
    const last = lines.at(-1);
    if (last !== undefined && last.length + 2 + short.length <= width) lines[lines.length - 1] = `${last}, ${short}`;
    else if (lines.length === most) break;
    else {
      if (last !== undefined) lines[lines.length - 1] = last + ",";
      lines.push(short);
    }
    --left;
  }
  if (left > 0) lines[lines.length - 1] = `${lines.at(-1)!.replace(/,$/, "")} +${left}`;
  return lines;
}
