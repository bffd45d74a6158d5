// Tabs as the keyboard knows them: one stop, arrows go along, Home and End to the ends.
import { useRef } from "preact/hooks";

interface Tab<T extends string> {
  name: T;
  title: string;
  keys?: string;
}

export function Tabs<T extends string>(props: {
  label: string;
  tabs: Tab<T>[];
  shown: T;
  show: (name: T) => void;
  controls: string;
  class?: string;
}) {
  const list = useRef<HTMLDivElement>(null);
  const { tabs, shown, show } = props;
  const at = tabs.findIndex((t) => t.name === shown);
  const go = (to: number) => {
    const tab = tabs[(to + tabs.length) % tabs.length]!;
    show(tab.name);
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>("[aria-selected=true]")?.focus());
  };
  return (
    <div ref={list} class={`tabs ${props.class ?? ""}`} role="tablist" aria-label={props.label}>
      {tabs.map((t, i) => (
        <button
          key={t.name}
          role="tab"
          id={`tab-${t.name}`}
          aria-selected={i === at}
          aria-controls={props.controls}
          tabIndex={i === at ? 0 : -1}
          title={t.keys}
          onClick={() => show(t.name)}
          onKeyDown={(e) => {
            if (e.key === "ArrowRight") go(at + 1);
            else if (e.key === "ArrowLeft") go(at - 1);
            else if (e.key === "Home") go(0);
            else if (e.key === "End") go(tabs.length - 1);
            else return;
            e.preventDefault();
            e.stopPropagation();
          }}
        >
          {t.title}
        </button>
      ))}
    </div>
  );
}
