// A dialog of the browser: it keeps the focus, gives it back, and Esc closes it.
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { change } from "../store";

const close = () => change((s) => (s.dialog = undefined));

export function Dialog({ title, wide, children }: { title: string; wide?: boolean; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    return () => before?.focus?.();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={wide ? "wide" : undefined}
      aria-label={title}
      onClose={close}
      onClick={(e) => {
        if (e.target === dialog.current) dialog.current?.close();
      }}
    >
      <div class="dialog-body">
        <header class="bar">
          <h2>{title}</h2>
          <span class="spring" />
          <button class="plain" onClick={() => dialog.current?.close()} aria-label="close">
            ×
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
