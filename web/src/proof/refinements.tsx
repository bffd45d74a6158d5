// Abstractions that are refined (cegar, agar): for which word, from how many blocks to how many, and at the end the
// abstraction of the component as a drawing.
import { useMemo } from "preact/hooks";
import { Drawing } from "../draw/drawing";
import { named } from "../draw/graph";
import { plural } from "../format";
import type { CheckRun, Refinement } from "../recording";
import { spell } from "./track";

export function RefinementOf({ refinement, index, of, check, names }: { refinement: Refinement; index: number; of: number; check: CheckRun; names: readonly string[] }) {
  const { component, before, after, word, split, conjunct } = refinement;
  const part = conjunct > 0 ? check.conjuncts.findLast((c) => c.index === conjunct) : undefined;
  const its = check.verdict?.assumptions?.find((a) => a.of?.length === 1 && a.of[0] === component);
  const conjunctLts = useMemo(() => (part === undefined || part.lts.steps === undefined ? undefined : named(part.lts, names)), [part, names]);
  return (
    <div class="proof-columns">
      <section class="conjecture" aria-labelledby="refinement-title">
        <h3 id="refinement-title">
          refinement {index + 1} of {of}: {component}, {before} to {plural(after, "block")}
        </h3>
        {its?.lts !== undefined ? (
          <>
            <p class="dim">its abstraction at the end, of {plural(its.states, "state")}:</p>
            <div class="conjecture-drawing">
              <Drawing title={`the abstraction of ${component}: ${plural(its.states, "state")}`} lts={its.lts} />
            </div>
          </>
        ) : (
          <p class="dim">The abstractions themselves are in the report of a finished proof.</p>
        )}
      </section>
      <section class="reason" aria-labelledby="why-title">
        <h3 id="why-title">why</h3>
        <p>
          The abstractions together can do a word that violates the property, and {component} cannot do it
          {split === undefined ? "" : `; block ${split} is split`}. So its abstraction loses this word.
        </p>
        <dl>
          <dt>word</dt>
          <dd class="mono">{spell(word, names)}</dd>
        </dl>
        {part !== undefined && (
          <p>
            about part {part.index} of {part.of} of the property
          </p>
        )}
        {conjunctLts !== undefined && (
          <div class="conjecture-drawing small">
            <Drawing title={`part ${part!.index} of the property`} lts={conjunctLts} small />
          </div>
        )}
      </section>
    </div>
  );
}
