// The page: bar, files, text, checks, panels, foot. In a narrow window the columns are tabs.
import { Editor } from "./editor/editor";
import { ProblemList } from "./editor/problem-list";
import { Checks } from "./shell/checks";
import { Foot } from "./shell/foot";
import { Gallery } from "./shell/gallery";
import { Help } from "./shell/help";
import { Live } from "./shell/live";
import { Palette } from "./shell/palette";
import { Panels } from "./shell/panels";
import { Changed, NewFile, SaveAs } from "./shell/save-dialogs";
import { Side } from "./shell/side";
import { Splitter } from "./shell/splitter";
import { Gone, NoServer } from "./shell/states";
import { Tabs } from "./shell/tabs";
import { TopBar } from "./shell/topbar";
import { change, useStore } from "./store";

function Text() {
  const hasDoc = useStore((s) => s.doc !== undefined);
  return (
    <section class="text" aria-label="text">
      {hasDoc ? <Editor /> : <Gallery />}
      {hasDoc && <ProblemList />}
    </section>
  );
}

function Dialogs() {
  const dialog = useStore((s) => s.dialog);
  if (dialog === "help") return <Help />;
  if (dialog === "palette") return <Palette />;
  if (dialog === "new-file") return <NewFile />;
  if (dialog === "save-as") return <SaveAs />;
  if (dialog === "changed") return <Changed />;
  return null;
}

const kViews = [
  { name: "files", title: "Files" },
  { name: "text", title: "Text" },
  { name: "checks", title: "Checks and panels" },
] as const;

export function App() {
  const server = useStore((s) => s.server);
  const view = useStore((s) => s.view);
  const howOpen = useStore((s) => s.howOpen);
  const known = useStore((s) => s.hello !== undefined);
  const hasDoc = useStore((s) => s.doc !== undefined);
  if (!known || server === "no-token" || server === "starting")
    return (
      <>
        <NoServer />
        <Gone />
      </>
    );
  return (
    <>
      <a class="skip" href="#checks" onClick={skip}>
        to the checks
      </a>
      <Live />
      <Gone />
      <TopBar />
      <nav aria-label="columns">
        <Tabs class="views" label="columns" controls="columns" tabs={[...kViews]} shown={view} show={(v) => change((s) => (s.view = v))} />
      </nav>
      <main id="columns" class={`columns show-${view}`}>
        <Side />
        <div class={hasDoc ? "main" : "main no-file"}>
          <Splitter part="side" grows="right" label="width of the files" />
          <Text />
          <Splitter part="right" grows="left" label="width of checks and panels" />
          <div class={howOpen ? "right how-open" : "right"}>
            <Checks />
            <Splitter part="checks" grows="down" label="height of the checks" />
            <Panels />
          </div>
        </div>
      </main>
      <Foot />
      <Dialogs />
    </>
  );
}

// The address is the link of the view, so that the jump is made by hand.
function skip(e: Event): void {
  e.preventDefault();
  change((s) => (s.view = "checks"));
  requestAnimationFrame(() => document.querySelector<HTMLElement>("#checks button")?.focus());
}
