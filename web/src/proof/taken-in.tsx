// Backward minimisation: W begins as the property and takes in one component after the other. Of each step the size of
// the product and of what it was reduced to, as bars, and W as a drawing, where the report has it.
import { useMemo } from "preact/hooks";
import { Drawing } from "../draw/drawing";
import type { Tools } from "../draw/drawing";
import { plural } from "../format";
import type { CheckRun } from "../recording";
import type { Chain } from "./track";
import { Meter } from "./race";

const scale = (n: number, most: number): number => Math.log10(1 + n) / Math.log10(1 + Math.max(1, most));

// `at`: the link of the cursor, by its index in the lane.
export function TakenIn({ chain, at, onPick }: { chain: Chain; at: number; onPick: (index: number) => void }) {
  const most = Math.max(...chain.links.map((l) => Math.max(l.product, l.reduced)));
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="components that were taken in">
      <table class="taken-in">
        <thead>
          <tr>
            <th scope="col">taken in</th>
            <th scope="col">product with W</th>
            <th scope="col">reduced: the new W</th>
            <th scope="col">left</th>
          </tr>
        </thead>
        <tbody>
          {chain.links.map((link) => (
            <tr key={link.index} class={link.index === at ? "here" : ""} aria-current={link.index === at ? "step" : undefined}>
              <th scope="row">
                <button type="button" class="plain" onClick={() => onPick(link.index)}>
                  {link.component}
                </button>
              </th>
              <td>
                <Meter width={scale(link.product, most)} kind="product" />
                <span class="number">{plural(link.product, "state")}</span>
              </td>
              <td>
                <Meter width={scale(link.reduced, most)} kind="reduced" />
                <span class="number">{link.reduced === 0 ? "none: nothing can fail" : plural(link.reduced, "state")}</span>
              </td>
              <td class="number">{link.left}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

// W after a link of the last chain. The report has those that the proof rests on, in the order of its sides.
export function W({ check, chain, at, isLast, tools }: { check: CheckRun; chain: Chain; at: number; isLast: boolean; tools?: (t: Tools) => void }) {
  const place = chain.links.findIndex((l) => l.index === at);
  const link = chain.links[place];
  const its = isLast ? check.verdict?.assumptions?.[place] : undefined;
  const lts = useMemo(() => its?.lts, [its]);
  if (link === undefined) return null;
  if (link.reduced === 0) return <p class="empty">After {link.component} no word fails any more: the property holds{link.left > 0 && `, whatever the rest (${plural(link.left, "component")}) would do`}.</p>;
  const matches = lts !== undefined && Math.abs(lts.states - link.reduced) <= 1; // the error state counts, or does not
  if (lts === undefined || !matches)
    return <p class="dim">W after {link.component} has {plural(link.reduced, "state")}; the report has only those of a finished proof.</p>;
  return (
    <div class="conjecture-drawing">
      <Drawing title={`W after ${link.component}: ${plural(link.reduced, "state")}`} lts={lts} tools={tools} />
    </div>
  );
}
