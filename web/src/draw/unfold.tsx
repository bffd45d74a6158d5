// What unfolds under a button, and folds again by Esc.
import type { ComponentChildren } from "preact";

export function Unfold({ title, class: name = "", children }: { title: string; class?: string; children: ComponentChildren }) {
  const fold = (e: KeyboardEvent & { currentTarget: HTMLDetailsElement }): void => {
    if (e.key !== "Escape" || !e.currentTarget.open) return;
    e.currentTarget.open = false;
    e.currentTarget.querySelector("summary")?.focus();
    e.preventDefault();
    e.stopPropagation();
  };
  return (
    <details class="more" onKeyDown={fold}>
      <summary>{title}</summary>
      <div class={`popover ${name}`}>{children}</div>
    </details>
  );
}
