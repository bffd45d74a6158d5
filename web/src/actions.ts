// What a person does: each action changes the state and asks the server. Panels call these, and nothing of api.ts that
// changes what other panels show.
//
// The actions that need more room are in files of their own and come through here: the open document (document.ts), jobs
// and the rows of checks (runs.ts), walks (walks.ts).
import * as api from "./api";
import { anew, openFile } from "./document";
import { loseModel } from "./language";
import { parseLink } from "./links";
import { openLink } from "./follow-link";
import { failed } from "./messages";
import { chooseRow } from "./rows";
import { loseJobs, takeUpJobs } from "./runs";
import { change, state } from "./store";
import type { PanelName } from "./store";

export { askModel } from "./language";
export { discardDraft, editText, newFile, openFile, saveFile, setCells, setDefine, setSystem } from "./document";
export { abort, abortAll, runAll, runJob, runRow, setHow } from "./runs";
export { failed, say } from "./messages";
export { closeWalk, fork, openWalk, showMoment, showTrace, showWalk } from "./walks";

// The first thing: who the server is, what files there are, and what the address asks for. Later, after the server has been
// gone, the open document stays.
export async function start(): Promise<void> {
  const token = api.takeToken();
  if (token === "none") {
    change((s) => (s.server = "no-token"));
    return;
  }
  if (token === "other" && state.hello !== undefined) {
    loseJobs();
    loseModel();
  }
  try {
    const [hello, files] = await Promise.all([api.hello(), api.files()]);
    change((s) => {
      s.hello = hello;
      s.files = files;
      s.server = "there";
    });
    const link = parseLink(location.hash);
    if (state.doc !== undefined && (link.path ?? state.doc.path) === state.doc.path) await anew();
    else if (link.path !== undefined) await openLink(link, takeUpJobs);
    else if (hello.open !== undefined) await openFile(hello.open);
  } catch (e) {
    failed(e);
  }
}

export async function refreshFiles(): Promise<void> {
  try {
    const files = await api.files();
    change((s) => (s.files = files));
  } catch (e) {
    failed(e);
  }
}

export function showPanel(panel: PanelName): void {
  change((s) => {
    s.panel = panel;
    s.view = "checks";
  });
}

export function showMachine(name: string): void {
  change((s) => {
    s.machine = name;
    s.panel = "draw";
    s.view = "checks";
  });
}

export function showRow(id: string): void {
  change((s) => chooseRow(s, id));
}

export function showJob(id: string): void {
  change((s) => {
    s.selectedJob = id;
    s.conjecture = undefined;
  });
}

