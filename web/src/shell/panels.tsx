// The tabs of the panels, and the one that is shown.
import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { showPanel } from "../actions";
import { kPanels } from "../panels/all";
import { useStore } from "../store";
import type { PanelName } from "../store";
import { Tabs } from "./tabs";

const loaded = new Map<PanelName, FunctionComponent>();

function Shown({ name }: { name: PanelName }) {
  const path = useStore((s) => s.doc?.path);
  const [failure, setFailure] = useState("");
  const [, again] = useState(0);
  const panel = loaded.get(name);
  useEffect(() => {
    if (loaded.has(name)) return;
    setFailure("");
    kPanels
      .find((p) => p.name === name)!
      .load()
      .then(
        (part) => {
          loaded.set(name, part);
          again((n) => n + 1);
        },
        () => setFailure("This part of the page could not be loaded: the server does not answer."),
      );
  }, [name]);
  const Panel = panel;
  if (Panel !== undefined) return <Panel key={path} />; // what was chosen in it is of the file
  return <p class="empty">{failure}</p>;
}

export function Panels() {
  const panel = useStore((s) => s.panel);
  return (
    <section class="panels" aria-label="panels">
      <Tabs
        label="panels"
        controls="panel"
        tabs={kPanels.map((p, i) => ({ name: p.name, title: p.title, keys: `Alt-${i + 1}` }))}
        shown={panel}
        show={showPanel}
      />
      <div id="panel" class="panel" role="tabpanel" aria-labelledby={`tab-${panel}`} tabIndex={0}>
        <Shown name={panel} />
      </div>
    </section>
  );
}
