// What a panel says where there is no system to show.
import { hasModel } from "../language";
import { isTooMuch } from "../rows";
import { useStore } from "../store";

// `otherwise`: what there would be, if the text could be read.
export function NoSystem({ otherwise }: { otherwise: string }) {
  const why = useStore((s) => {
    if (s.doc === undefined) return "No model is open.";
    if (!hasModel(s.doc.language)) return "This file is no model.";
    if (isTooMuch(s)) return "Reading this takes more than a question may: there is nothing to show here. A check, which is a job, may take longer.";
    if (s.model?.version !== s.doc.version) return "The text is being read …";
    return `The text has errors. ${otherwise}`;
  });
  return (
    <p class="empty" data-busy={why.endsWith("…") ? "" : undefined}>
      {why}
    </p>
  );
}
