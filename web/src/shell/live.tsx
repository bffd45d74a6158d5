// What screen readers are told: verdicts and messages at once, counts of what runs once in five seconds.
import { useEffect, useState } from "preact/hooks";
import { count } from "../format";
import { listen, state } from "../store";

const kEvery = 5000; // ms

export function Live() {
  const [text, setText] = useState("");
  useEffect(() => {
    const told = new Map<string, unknown>();
    let message: unknown;
    let last = Date.now();
    const tell = () => {
      const news: string[] = [];
      for (const row of state.rows) {
        if (row.result !== undefined && told.get(row.id) !== row.result) news.push(`${row.name}: ${row.result.verdict}`);
        told.set(row.id, row.result);
      }
      if (state.message !== message) {
        message = state.message;
        if (state.message !== undefined) news.push(state.message.text);
      }
      const running = Object.values(state.jobs).filter((j) => j.state === "running");
      if (news.length === 0 && running.length > 0 && Date.now() - last > kEvery) {
        const states = running.reduce((sum, j) => sum + (j.recording.progress?.states ?? 0), 0);
        news.push(`${running.length} running, ${count(states)} states`);
      }
      if (news.length === 0) return;
      last = Date.now();
      setText(news.join(". "));
    };
    return listen(tell);
  }, []);
  return (
    <div class="unseen" role="status" aria-live="polite">
      {text}
    </div>
  );
}
