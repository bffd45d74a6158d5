// The places of a chapter: its last conjecture is laid out once, for all of them. While a run goes on there is always a
// newer last one; then one layout after the other, each for the newest.
import { useEffect, useRef, useState } from "preact/hooks";
import { layers, layOut } from "../draw/layout";
import { graphOf, named } from "../draw/graph";
import type { Places } from "../draw/graph";
import type { Lts } from "../types";

const kKept = 200; // layouts that are remembered
const kept = new Map<Lts<number> | undefined, Places>();

function keep(lts: Lts<number>, places: Places): void {
  kept.set(lts, places);
  for (const oldest of kept.keys()) {
    if (kept.size <= kKept) break;
    kept.delete(oldest);
  }
}

// Without Graphviz, a column for each distance.
const laidOut = (lts: Lts, signal: AbortSignal): Promise<Places> =>
  layOut(lts, signal).catch((e: unknown) => {
    if (signal.aborted) throw e;
    return layers(graphOf(lts)).places;
  });

export interface Laid {
  lts: Lts<number>; // that was laid out
  places: Places;
}

// The layout of `last`, or, until it is there, the one before it. Who goes to another chapter does not wait for the layout
// of the one that is left; inside of one, a layout that has begun is finished, however quickly newer ones come.
export function usePlaces(last: Lts<number> | undefined, names: readonly string[], chapter: unknown): Laid | undefined {
  const [laid, setLaid] = useState<Laid>();
  const newest = useRef(last);
  newest.current = last;
  const stop = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => stop.current?.abort(), [chapter]);
  useEffect(() => {
    const known = kept.get(last);
    if (last === undefined || known !== undefined) {
      stop.current?.abort();
      if (known !== undefined) setLaid({ lts: last!, places: known });
      return;
    }
    if (stop.current !== undefined && !stop.current.signal.aborted) return; // it goes on with the newest
    const mine = (stop.current = new AbortController());
    const { signal } = mine;
    const work = async (): Promise<void> => {
      for (let lts = newest.current; lts !== undefined && !signal.aborted; lts = newest.current) {
        const places = kept.get(lts) ?? (await laidOut(named(lts, names), signal));
        if (signal.aborted) return;
        keep(lts, places);
        setLaid({ lts, places });
        if (newest.current === lts) return;
      }
    };
    work()
      .catch(() => undefined) // aborted
      .finally(() => mine.abort());
  }, [last, names, chapter]);
  return laid;
}
