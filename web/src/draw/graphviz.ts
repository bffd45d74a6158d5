// Graphviz asked from the page: one Worker for what is wanted now, one for second and better layouts, so that those never
// hold up a first picture. A Worker whose time is up is ended; one that is idle for a minute, too.
import type { Given, Wanted } from "./layout-worker";

export class TooLong extends Error {}

// Asks for a layout in the plain format. It is refused with TooLong after `ms`, and ends when the signal says so.
export type Runner = (dot: string, engine: string, ms: number, signal?: AbortSignal) => Promise<string>;

function workerAddress(): string {
  const meta = document.querySelector<HTMLMetaElement>('meta[name="layout-worker"]');
  if (meta === null) throw new Error("the page does not say where its layout worker is");
  return meta.content;
}

const kStart = 60_000; // ms for the Worker and Graphviz in it to be there: that is no time of the layout
const kGrace = 250; // ms that a layout that is not wanted any more may go on: a new Worker takes longer
const kIdle = 60_000;

const aborted = (): Error => new DOMException("stopped", "AbortError");

class Lane {
  private worker?: Promise<Worker>;
  private last: Promise<unknown> = Promise.resolve();
  private idle?: ReturnType<typeof setTimeout>;

  ask(wanted: Wanted, ms: number, signal?: AbortSignal): Promise<string> {
    return new Promise<string>((resolve, reject) => {
      if (signal?.aborted) return reject(aborted());
      signal?.addEventListener("abort", () => reject(aborted()), { once: true });
      this.last = this.last.then(() => this.run(wanted, ms, signal).then(resolve, reject));
    });
  }

  // Starts the Worker before anything is asked.
  warm(): void {
    if (this.worker !== undefined) return;
    this.worker = this.start();
    this.worker.catch(() => undefined); // who asks is told
    this.idle = setTimeout(() => void this.worker?.then((w) => w.terminate()).then(() => (this.worker = undefined)), kIdle);
  }

  private start(): Promise<Worker> {
    const worker = new Worker(workerAddress(), { type: "module" });
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => {
        worker.terminate();
        this.worker = undefined;
        reject(new Error(why));
      };
      const timer = setTimeout(() => fail("the layout worker does not start"), kStart);
      worker.onerror = (e) => fail(e.message || "the layout worker cannot be loaded");
      worker.onmessage = (message: MessageEvent<Given>) => {
        clearTimeout(timer);
        if (message.data.ready) resolve(worker);
        else fail(message.data.error ?? "the layout worker cannot be used");
      };
    });
  }

  // Settles when the Worker is free again, or ended.
  private async run(wanted: Wanted, ms: number, signal?: AbortSignal): Promise<string> {
    if (signal?.aborted) throw aborted();
    clearTimeout(this.idle);
    const worker = await (this.worker ??= this.start());
    if (signal?.aborted) throw aborted();
    return new Promise<string>((resolve, reject) => {
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", stop);
        this.idle = setTimeout(() => end(), kIdle);
      };
      const end = (): void => {
        worker.terminate();
        this.worker = undefined;
      };
      const fail = (why: Error): void => {
        done();
        clearTimeout(this.idle);
        end();
        reject(why);
      };
      const stop = (): void => {
        clearTimeout(timer);
        timer = setTimeout(() => fail(aborted()), kGrace);
      };
      let timer = setTimeout(() => fail(new TooLong(`no layout in ${ms} ms`)), ms);
      signal?.addEventListener("abort", stop);
      worker.onerror = (e) => fail(new Error(e.message || "the layout worker has failed"));
      worker.onmessage = (message: MessageEvent<Given>) => {
        const { text, error } = message.data;
        done();
        if (text === undefined) reject(new Error(error ?? "no layout"));
        else resolve(text);
      };
      worker.postMessage(wanted);
    });
  }
}

const first = new Lane();
const second = new Lane();

export const runNow: Runner = (dot, engine, ms, signal) => first.ask({ dot, engine }, ms, signal);
export const runLater: Runner = (dot, engine, ms, signal) => second.ask({ dot, engine }, ms, signal);

// A panel that will draw says so while it asks for the machine.
export const warm = (): void => first.warm();
