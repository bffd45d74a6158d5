// A proof for every size: the small sizes one by one, then the chain of cells, until W comes back as it was.
import { useEffect, useState } from "preact/hooks";
import * as api from "../api";
import { Drawing } from "../draw/drawing";
import { plural } from "../format";
import type { CheckRun } from "../recording";
import type { Lts } from "../types";

const kSign: Record<string, string> = { holds: "✓", violated: "✗" };

export function Sizes({ check }: { check: CheckRun }) {
  const parameter = check.sizes[0]?.parameter ?? "K";
  return (
    <div class="sizes">
      <h3>small sizes, one by one</h3>
      <ol class="size-list" aria-label="small sizes">
        {check.sizes.map((size) => (
          <li key={size.value} class={size.result}>
            {parameter} = {size.value} <span aria-hidden="true">{kSign[size.result] ?? "?"}</span> {size.result}
          </li>
        ))}
      </ol>
    </div>
  );
}

interface AllSizes {
  parameter: string;
  from: number;
  holds?: boolean;
  base?: number[];
  inductive_states?: number;
  cells?: number;
  violated_at?: number;
  no_induction?: string;
}

// What the induction came to, and the W that comes back, from the certificate.
export function Induction({ check, job }: { check: CheckRun; job: string | undefined }) {
  const result = (check.verdict as { all_sizes?: AllSizes } | undefined)?.all_sizes;
  const holds = check.verdict?.verdict === "holds";
  const [w, setW] = useState<Lts>();
  useEffect(() => {
    if (!holds || job === undefined) return;
    let gone = false;
    api
      .certificate(job)
      .then((certificate) => {
        const proofs = (certificate as { proofs?: { property?: string; induction?: { head?: Lts[] } }[] }).proofs ?? [];
        const head = proofs.find((p) => p.property === check.property)?.induction?.head;
        const last = head?.at(-1);
        if (!gone && last?.steps !== undefined && typeof last.steps[0]?.[1] !== "number") setW(last);
      })
      .catch(() => undefined); // without a certificate there is no drawing
    return () => {
      gone = true;
    };
  }, [holds, job, check.property]);
  if (result === undefined) return null;
  const { parameter, from } = result;
  return (
    <>
      <h3>the induction</h3>
      {result.no_induction !== undefined && <p>no proof for all sizes: {result.no_induction}</p>}
      {result.violated_at !== undefined && <p class="violated">✗ violated at {parameter} = {result.violated_at}</p>}
      {result.inductive_states !== undefined && (
        <p>
          From {parameter} = {Math.max(from, ...(result.base ?? [])) + 1} on: after {plural(result.cells ?? 1, "cell")} more, W is again what it was, with{" "}
          {plural(result.inductive_states, "state")}. However many cells there are, nothing else can come.
        </p>
      )}
      {w !== undefined && (
        <div class="conjecture-drawing">
          <Drawing title={`the W that comes back: ${plural(w.states, "state")}`} lts={w} />
        </div>
      )}
    </>
  );
}
