import type { Browser } from "../../../../test/browser.ts";

/** What the load is sent to, and as whom. */
export interface SoakTarget {
  ports: { web: number; api: number };
  projectId: string;
  key: string;
  clientId: string;
  /** A browser that has signed in. */
  browser: Browser;
}

/** Counts the calls of a load, and the unexpected answers, by kind. */
export class Tally {
  calls = 0;
  readonly failed = new Map<string, number>();
  readonly examples = new Map<string, string>();

  count(kind: string, isGood: boolean, told: () => string): void {
    this.calls += 1;
    if (isGood) return;
    this.failed.set(kind, (this.failed.get(kind) ?? 0) + 1);
    if (!this.examples.has(kind)) this.examples.set(kind, told().slice(0, 200));
  }
}
