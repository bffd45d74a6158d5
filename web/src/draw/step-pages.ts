// The steps of a machine as a list of any length: those that are here, or pages of the language process.
import { useMemo, useReducer } from "preact/hooks";
import { askModel } from "../actions";
import { filterOf, matching } from "./filter";
import type { StepOf } from "./filter";
import type { Machine, Minimise } from "./machines";

const kPage = 1_000;

// Pages that have been asked for, and how many steps there are.
class Pages {
  private pages = new Map<number, StepOf[] | undefined>();
  count: number;
  trouble = "";

  constructor(
    private readonly machine: Machine,
    private readonly minimise: Minimise,
    private readonly filter: { state?: number; part?: string },
    private readonly changed: () => void,
  ) {
    this.count = filter.state === undefined && filter.part === undefined ? (machine.transitions ?? 0) : 0;
    if (this.count === 0) this.ask(0);
  }

  private ask(page: number): void {
    if (this.pages.has(page)) return;
    this.pages.set(page, undefined);
    const { state, part } = this.filter;
    const actions = part === undefined ? undefined : ["tau", ...this.machine.alphabet].filter((a) => a.includes(part));
    if (actions?.length === 0) return;
    const params = {
      name: this.machine.name,
      from: page * kPage,
      count: kPage,
      names: false,
      ...(this.machine.property ? { complete: true } : {}),
      ...(this.minimise === "" ? {} : { minimise: this.minimise }),
      ...(state === undefined ? {} : { state }),
      ...(actions === undefined ? {} : { actions }),
    };
    askModel<{ steps?: StepOf[]; of?: number }>("surety/machine", params).then(
      (got) => {
        this.pages.set(page, got.steps ?? []);
        if (got.of !== undefined) this.count = got.of;
        this.changed();
      },
      (e: Error) => {
        this.trouble = e.message;
        this.changed();
      },
    );
  }

  need = (first: number, end: number): void => {
    for (let page = Math.floor(first / kPage); page * kPage < end; ++page) this.ask(page);
  };
  at(index: number): StepOf | undefined {
    return this.pages.get(Math.floor(index / kPage))?.[index % kPage];
  }
}

export interface Steps {
  count: number;
  at: (index: number) => StepOf | undefined; // nothing: it is on its way
  need?: (first: number, end: number) => void;
  trouble?: string;
}

export function useSteps(machine: Machine | undefined, minimise: Minimise, filter: string): Steps {
  const [, again] = useReducer((n: number, _: void) => n + 1, 0);
  const here = useMemo(
    () => (machine?.steps === undefined ? undefined : matching(machine.steps, filter)),
    [machine, filter],
  );
  const pages = useMemo(
    () => (machine === undefined || here !== undefined ? undefined : new Pages(machine, minimise, filterOf(filter), again)),
    [machine, minimise, filter, here],
  );
  if (here !== undefined) return { count: here.length, at: (i) => here[i] };
  if (pages !== undefined) return { count: pages.count, at: (i) => pages.at(i), need: pages.need, trouble: pages.trouble };
  return { count: 0, at: () => undefined };
}
