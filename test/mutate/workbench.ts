import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** What `npm run build` made, which git does not list. */
const BUILT = ["web/dist", "clients/typescript/dist", "clients/typescript/src/generated"];
/** How the reporter begins the line of a test that failed. */
const FAILED = /^\s*✖ (.+) \([\d.]+ms\)$/m;

/** How a test file ended. */
interface Ended {
  outcome: "passed" | "failed" | "hung";
  ms: number;
  /** The first test that failed, if one did. */
  failed: string | undefined;
}

/** A copy of the project in which one file at a time is changed and tests run. */
export interface Workbench extends Disposable {
  folder: string;
  write(file: string, text: string): void;
  run(test: string, limitMs: number, env?: Record<string, string>): Promise<Ended>;
}

/** Copies the files that git knows, with changes that are not committed, and what the build made. */
export function workbench(): Workbench {
  const folder = mkdtempSync(join(tmpdir(), "leadgate-mutants-"));
  // The embedded database of a process of root runs as another user.
  chmodSync(folder, 0o755);
  const { stdout } = spawnSync("git", ["ls-files", "-co", "--exclude-standard"], {
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  });
  for (const file of stdout.split("\n").filter((name) => name !== "" && existsSync(name))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(file, join(folder, file));
  }
  for (const built of BUILT.filter((name) => existsSync(name))) {
    cpSync(built, join(folder, built), { recursive: true });
  }
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  return {
    folder,
    write: (file, text) => writeFileSync(join(folder, file), text),
    run: (test, limitMs, env) => runIn(folder, test, limitMs, env),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/**
 * Has a worker run a test file, as `test/run.ts` does, up to the first test that fails; a group of processes, so that nothing
 * outlives its time limit.
 */
function runIn(
  folder: string,
  test: string,
  limitMs: number,
  env: Record<string, string> = {},
): Promise<Ended> {
  const began = performance.now();
  const covering = env.NODE_V8_COVERAGE === undefined ? [] : ["test/mutate/panel-coverage.ts"];
  const preloads = ["test/blocking-output.ts", "test/answers/preload.ts", ...covering].map(
    (file) => `--import=${pathToFileURL(join(folder, file)).href}`,
  );
  const own = mkdtempSync(join(tmpdir(), "leadgate-worker-"));
  writeFileSync(join(own, "files.json"), JSON.stringify({ files: [test], reverse: false }));
  const child = spawn(
    process.execPath,
    [
      "--test-reporter=spec",
      `--test-timeout=${limitMs}`,
      ...preloads,
      join(folder, "test", "worker.ts"),
      own,
    ],
    { cwd: folder, env: { ...process.env, ...env }, detached: true, stdio: ["ignore", "pipe", "pipe"] },
  );
  const endAll = () => {
    try {
      process.kill(-(child.pid ?? 0), "SIGKILL");
    } catch {
      // everything has ended
    }
  };
  let hung = false;
  const limit = setTimeout(() => {
    hung = true;
    endAll();
  }, limitMs);
  let output = "";
  let failed: string | undefined;
  child.stderr.resume();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output = output.slice(output.lastIndexOf("\n") + 1) + text;
    failed ??= FAILED.exec(output)?.[1];
    if (failed !== undefined) endAll();
  });
  child.once("exit", endAll);
  return new Promise((done) =>
    child.once("close", (code) => {
      clearTimeout(limit);
      rmSync(own, { recursive: true, force: true });
      const outcome = hung ? "hung" : code === 0 && failed === undefined ? "passed" : "failed";
      done({ outcome, ms: Math.round(performance.now() - began), failed });
    }),
  );
}

/** The path of a URL of coverage inside the folder; undefined outside of its `src` and `web/src`. */
export function sourceOf(url: string, folder: string): string | undefined {
  if (!url.startsWith("file:")) return undefined;
  const path = fileURLToPath(url);
  const isSource = ["src/", "web/src/"].some((sources) => path.startsWith(join(folder, sources)));
  return isSource ? path.slice(folder.length + 1) : undefined;
}
