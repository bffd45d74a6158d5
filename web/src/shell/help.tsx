// Help: the keys, and where things of LTSA are.
import { useStore } from "../store";
import { kKeyed } from "./commands";
import { Dialog } from "./dialog";

const kPanelKeys: [string, string][] = [
  ["← →", "Trace, Proof: one step or conjecture back or on"],
  ["Home End", "Trace, Proof: the first, the last"],
  ["Space", "Proof, Trace: play and stop"],
  ["F", "Trace, Animate: fork here; the old way stays beside it"],
  ["arrows", "Draw: along the steps; Enter opens, P pins"],
  ["+ − 0", "Draw: larger, smaller, all of it"],
  ["letters", "Animate: choose an action; Backspace takes it back"],
  ["Esc, then Tab", "leave the text by the keyboard"],
];

const kElsewhere: [string, string][] = [
  ["parse, compile, compose", "happen while you type"],
  ["Draw, Transitions, Alphabet", "the panels of these names"],
  ["Run: the animator", "Animate; ticks say what a random walk may do"],
  ["Check: safety, progress, LTL", "the list of checks: run one, or check all"],
  ["Output", "Output: what the command line says"],
  ["options", "how, above the checks"],
  ["export .aut", "save, at every machine and every assumption"],
];

export function Help() {
  const tool = useStore((s) => s.hello?.tool);
  const groups = [...new Set(kKeyed.map((c) => c.group))];
  return (
    <Dialog title="Help" wide>
      <div class="help">
        {groups.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {kKeyed
                .filter((c) => c.group === group && c.keys !== undefined)
                .map((c) => (
                  <div key={c.title}>
                    <dt>
                      <kbd>{c.keys}</kbd>
                    </dt>
                    <dd>{c.title}</dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
        <section>
          <h3>In the panels</h3>
          <dl>
            {kPanelKeys.map(([keys, what]) => (
              <div key={keys}>
                <dt>
                  <kbd>{keys}</kbd>
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </section>
        <section>
          <h3>If you know LTSA</h3>
          <dl>
            {kElsewhere.map(([there, here]) => (
              <div key={there}>
                <dt>{there}</dt>
                <dd>{here}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
      <p class="dim">
        {tool}. What others wrote of this page: <a href="/licences.txt">licences</a>.
      </p>
    </Dialog>
  );
}
