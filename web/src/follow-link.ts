// A link is followed: its file is opened, its check is run if there is no result, its panel and its step are shown. And the
// other way: the address always has the link of what is shown.
import { openFile } from "./document";
import { linkText, parseLink } from "./links";
import type { Link } from "./links";
import { resultOf, setHow } from "./runs";
import { change, listen, state, walkOf } from "./store";
import { showMoment, showTrace } from "./walks";

let following = false;

// `before`: what brings results, before it is looked whether there is one.
export async function openLink(link: Link, before: () => Promise<void> = async () => {}): Promise<void> {
  if (link.path === undefined) return;
  following = true;
  try {
    await openFile(link.path, { define: link.define, ...(link.system === undefined ? {} : { system: link.system }) });
    if (state.doc?.path !== link.path) return;
    if (link.method !== undefined) setHow("method", link.method);
    if (link.split !== undefined) setHow("split", link.split);
    await before();
    if (link.panel !== undefined)
      change((s) => {
        s.panel = link.panel!;
        s.view = "checks";
      });
    const row = state.rows.find((r) => r.name === link.check);
    if (row === undefined) return;
    change((s) => (s.selectedRow = row.id));
    await resultOf(row.id);
    if (link.panel === "trace") await showTrace(row.id);
    if (link.panel !== undefined) change((s) => (s.panel = link.panel!));
    if (link.k !== undefined) change((s) => (s.conjecture = link.k! - 1));
    if (link.step !== undefined) showMoment(link.step);
  } finally {
    following = false;
    keep();
  }
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
  if (following) return;
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
