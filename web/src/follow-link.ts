// A link is followed: its file is opened, its check is run if there is no result, its panel and its step are shown. And the
// other way: the address always has the link of what is shown.
import { openFile } from "./document";
import { linkText, parseLink } from "./links";
import type { Link } from "./links";
import { chooseRow } from "./rows";
import { resultOf, setHow } from "./runs";
import { change, listen, state, walkOf } from "./store";
import { showMoment, showTrace } from "./walks";

let followed = 0; // links; the one that was asked for last is followed
interface Under {
  path: string;
  opened: boolean;
}
let under: Under | undefined; // that link: until all of it is shown the address stays

// `before`: what brings results, before it is looked whether there is one. Who does something else meanwhile is left in peace.
export async function openLink(link: Link, before: () => Promise<void> = async () => {}): Promise<void> {
  if (link.path === undefined) return;
  const mine = ++followed;
  const isOld = () => mine !== followed || state.doc?.path !== link.path;
  const way: Under = { path: link.path, opened: false };
  under = way;
  try {
    await openFile(link.path, { define: link.define, ...(link.system === undefined ? {} : { system: link.system }) });
    way.opened = true;
    if (isOld()) return;
    if (link.method !== undefined) setHow("method", link.method);
    if (link.split !== undefined) setHow("split", link.split);
    await before();
    if (isOld()) return;
    const row = state.rows.find((r) => r.name === link.check);
    change((s) => {
      if (link.panel !== undefined) [s.panel, s.view] = [link.panel, "checks"];
      if (row !== undefined) s.selectedRow = row.id;
    });
    if (row !== undefined) await followRow(link, row.id, isOld);
  } finally {
    if (under === way) under = undefined;
    keep();
  }
}

async function followRow(link: Link, row: string, isOld: () => boolean): Promise<void> {
  const isLeft = () => isOld() || state.selectedRow !== row || (link.panel !== undefined && state.panel !== link.panel);
  await resultOf(row);
  if (isLeft()) return;
  if (link.panel === "trace") await showTrace(row);
  if (isLeft()) return;
  change((s) => chooseRow(s, row));
  if (link.k !== undefined) change((s) => (s.conjecture = link.k! - 1));
  if (link.step !== undefined) showMoment(link.step);
}

export function currentLink(): Link {
  const link: Link = { define: state.define, panel: state.panel };
  if (state.doc !== undefined) link.path = state.doc.path;
  if (state.system !== undefined) link.system = state.system;
  const row = state.rows.find((r) => r.id === state.selectedRow);
  if (row !== undefined) link.check = row.name;
  if (typeof state.how.method === "string" && state.how.method !== "auto") link.method = state.how.method;
  if (typeof state.how.split === "string") link.split = state.how.split;
  if (state.panel === "proof" && state.conjecture !== undefined) link.k = state.conjecture + 1;
  const walk = walkOf(state);
  if (state.panel === "trace" && walk !== undefined && walk.at > 0) link.step = walk.at;
  return link;
}

function keep(): void {
  if (under !== undefined && (!under.opened || state.doc?.path === under.path)) return;
  const text = linkText(currentLink());
  if (text !== "" && text !== location.hash) {
    const other = parseLink(location.hash).path !== state.doc?.path;
    if (other && location.hash !== "") history.pushState(null, "", text);
    else history.replaceState(null, "", text);
  }
}

// The address follows the state from now on, and the state the address if a person changes that.
export function watchAddress(newToken: () => void): void {
  listen(keep);
  addEventListener("popstate", () => {
    if (/^#t=/.test(location.hash)) newToken();
    else void openLink(parseLink(location.hash));
  });
}
