import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Spent } from "./worker.ts";

/** A test above this gives its reason in a comment `// Slow: ...` above it, or belongs to the second tier. */
const MOST_PROCESSOR_MS = 8_000;
const SHOWN = 10;

/** An event of node's test runner, with what we read of it. */
export interface Event {
  type: string;
  data: {
    name?: string;
    nesting?: number;
    file?: string;
    line?: number;
    skip?: string | boolean;
    message?: string;
    details?: {
      type?: string;
      error?: { failureType?: string; exitCode?: number | null; signal?: string | null };
    };
  };
}

/** What a run showed: reads the events of its processes and says at the end what they amount to. */
export class Report {
  passed = 0;
  failed = 0;
  /** The files whose tests have all ended. */
  readonly ended = new Set<string>();
  /** The files that a test failed in. */
  readonly failedFiles = new Set<string>();
  /** How processes ended that did not end by themselves. */
  readonly died: string[] = [];
  readonly #files: ReadonlySet<string>;
  readonly #skipped = new Map<string, string[]>();
  readonly #spent: Spent[] = [];

  constructor(files: readonly string[]) {
    this.#files = new Set(files);
  }

  /**
   * Takes note of an event and returns what is shown of it: tests without the file around them, and none of node's own
   * sums. A process reports its files as tests of its own, around theirs.
   */
  seen({ type, data }: Event): Event | undefined {
    const { name = "", nesting = 0, details } = data;
    const isEnd = type === "test:pass" || type === "test:fail";
    if (type === "test:diagnostic" && nesting === 0) return undefined;
    if (type === "test:summary" || type === "test:plan") return undefined;
    if (nesting === 0 && this.#files.has(name)) {
      if (isEnd) this.ended.add(name);
      if (type === "test:fail") this.failedFiles.add(name);
      if (type !== "test:fail" || details?.error?.failureType === "subtestsFailed") return undefined;
      this.failed += 1;
      return { type, data };
    }
    if (nesting === 0 && type === "test:fail" && details?.error?.exitCode !== undefined) {
      this.died.push(details.error.signal ?? `code ${details.error.exitCode}`);
      return undefined;
    }
    if (nesting === 1 && isEnd) this.#count(type, data);
    return { type, data: { ...data, nesting: Math.max(0, nesting - 1) } };
  }

  #count(type: string, { name = "", skip }: Event["data"]): void {
    if (type === "test:fail") this.failed += 1;
    else if (skip === undefined || skip === false) this.passed += 1;
    else {
      const reason = typeof skip === "string" && skip !== "" ? skip : "no reason given";
      this.#skipped.set(reason, [...(this.#skipped.get(reason) ?? []), name]);
    }
  }

  /** Adds what the processes of a round wrote of the time that they spent. */
  read(spentFile: string): void {
    let text = "";
    try {
      text = readFileSync(spentFile, "utf8");
    } catch {
      // No file ran to its end.
    }
    for (const line of text.split("\n")) if (line !== "") this.#spent.push(JSON.parse(line) as Spent);
  }

  /** Returns the end of the run in lines: sums, what was skipped and why, the slowest tests, the time by folder. */
  lines(ms: number): string[] {
    const skipped = [...this.#skipped.values()].reduce((sum, names) => sum + names.length, 0);
    const tests = this.#spent.filter(({ test }) => test !== undefined);
    const folders = Object.entries(
      Object.groupBy(
        this.#spent.filter(({ test }) => test === undefined),
        ({ file }) => dirname(file).split("/").slice(0, 2).join("/"),
      ),
    ).map(([folder, of = []]) => ({
      folder,
      ...sum(of),
      tests: tests.filter(({ file }) => of.some((each) => each.file === file)).length,
    }));
    return [
      ...["", `${this.passed} passed, ${this.failed} failed, ${skipped} skipped in ${minutes(ms)}`],
      ...this.#skips(),
      ...["", "The slowest tests (seconds, of these processor time of the test's processes):"],
      ...tests
        .sort((a, b) => b.ms - a.ms)
        .slice(0, SHOWN)
        .map((each) => `  ${seconds(each.ms)} ${seconds(each.processorMs)}  ${each.test} (${each.file})`),
      ...["", "By folder (seconds, processor time, tests):"],
      ...folders
        .sort((a, b) => b.ms - a.ms)
        .map(
          (each) =>
            `  ${seconds(each.ms)} ${seconds(each.processorMs)} ${String(each.tests).padStart(5)}  ${each.folder}`,
        ),
      ...this.#unexplained(tests),
    ];
  }

  #skips(): string[] {
    if (this.#skipped.size === 0) return [];
    const reasons = [...this.#skipped].sort(([, a], [, b]) => b.length - a.length);
    return [
      "",
      "Skipped:",
      ...reasons.map(([reason, names]) => `  ${String(names.length).padStart(4)} ${reason}`),
    ];
  }

  /** In the second tier, tests may be slow. */
  #unexplained(tests: readonly Spent[]): string[] {
    if (process.env.LEADGATE_TEST_TIER === "second") return [];
    const wrong = tests.filter((each) => each.processorMs > MOST_PROCESSOR_MS && !isExplained(each));
    if (wrong.length === 0) return [];
    return [
      ...[
        "",
        `More than ${MOST_PROCESSOR_MS / 1_000} s of processor time, and no comment "// Slow: why" above the test:`,
      ],
      ...wrong.map(({ test, file, processorMs }) => `  ${seconds(processorMs)}  ${test} (${file})`),
    ];
  }
}

function isExplained({ file, line = 0 }: Spent): boolean {
  const [above = "", own = ""] = readFileSync(resolve(file), "utf8")
    .split("\n")
    .slice(line - 2, line);
  return above.startsWith("// Slow: ") || own.trimStart().startsWith("large(");
}

const sum = (spent: readonly Spent[]) => ({
  ms: spent.reduce((total, each) => total + each.ms, 0),
  processorMs: spent.reduce((total, each) => total + each.processorMs, 0),
});

const seconds = (ms: number): string => (ms / 1_000).toFixed(1).padStart(7);
function minutes(ms: number): string {
  const all = Math.round(ms / 1_000);
  return `${Math.floor(all / 60)} min ${all % 60} s`;
}
