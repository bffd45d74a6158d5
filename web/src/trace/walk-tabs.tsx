// The walks that there are: traces of checks, ways walked by hand, and their forks.
import { closeWalk, showWalk } from "../actions";
import { useStore } from "../store";

export function WalkTabs() {
  const walks = useStore((s) => s.walks);
  const shown = useStore((s) => s.walk);
  if (walks.length === 0) return null;
  return (
    <div class="walk-tabs" role="group" aria-label="walks">
      {walks.map((w) => (
        <span key={w.id} class="walk-tab">
          <button aria-pressed={w.id === shown} title={w.title} onClick={() => showWalk(w.id)}>
            {w.origin === "trace" ? "✗ " : ""}
            {w.title}
          </button>
          {w.id === shown && (
            <button class="plain" aria-label={`close ${w.title}`} title="close" onClick={() => closeWalk(w.id)}>
              ×
            </button>
          )}
        </span>
      ))}
    </div>
  );
}
