// Stands in for `surety check` where events have to come at a rate that is known: RATE of SIZE bytes in a second, for
// SECONDS, each with the time at which it was written. The name of the model has the three: flood-RATE-SIZE-SECONDS.lts.
const { writeSync } = require("node:fs");

const [, rate, size, seconds] = /flood-(\d+)-(\d+)-(\d+)/.exec(process.argv.at(-1)).map(Number);
let n = 0;
const tell = (event) => writeSync(3, JSON.stringify({ n: ++n, t: performance.now() / 1000, ...event }) + "\n");
const now = () => performance.timeOrigin + performance.now();

tell({ event: "start", schema: 1, tool: "flood", argv: [] });
tell({ event: "model", system: "S", actions: ["tau", "a", "b"], components: [], properties: [] });
tell({ event: "plan", checks: [{ id: 0, kind: "safety", property: "P" }] });
tell({ event: "turn", check: 0, lane: 0 });
tell({ event: "lane", check: 0, lane: 0, method: "cegar", is: "started" });
const began = now();
let sent = 0;
const word = [];
while (JSON.stringify({ word }).length < size - 150) word.push(1, 2);
const timer = setInterval(() => {
  const due = Math.min(rate * seconds, Math.floor(((now() - began) / 1000) * rate));
  for (; sent < due; ++sent)
    tell({ event: "refined", check: 0, lane: 0, component: `C${sent % 5}`, before: sent, after: sent + 1, word, sent: now() });
  if (sent < rate * seconds) return;
  clearInterval(timer);
  tell({ event: "verdict", check: 0, lane: 0, kind: "safety", property: "P", verdict: "holds", method: "cegar", time_s: seconds, max_states: 1, max_transitions: 1 });
  tell({ event: "end", verdict: "holds", status: 0, time_s: seconds });
  process.stdout.write(JSON.stringify({ schema: 1, verdict: "holds", checks: [] }));
}, 1);
