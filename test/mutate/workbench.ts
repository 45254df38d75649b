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
const SHOWN_CHARS = 4_000;

/** How a test file ended. */
interface Ended {
  outcome: "passed" | "failed" | "hung";
  ms: number;
  output: string;
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

/** Runs a test file as `test/run.ts` does; a group of processes, so that nothing outlives its time limit. */
function runIn(folder: string, test: string, limitMs: number, env = {}): Promise<Ended> {
  const began = performance.now();
  const preloads = ["test/blocking-output.ts", "test/answers/preload.ts"].map(
    (file) => `--import=${pathToFileURL(join(folder, file)).href}`,
  );
  const child = spawn(
    process.execPath,
    ["--test-force-exit", `--test-timeout=${limitMs}`, ...preloads, join(folder, test)],
    { cwd: folder, env: { ...process.env, ...env }, detached: true, stdio: ["ignore", "pipe", "pipe"] },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data: Buffer) => {
      output = (output + data.toString()).slice(-SHOWN_CHARS);
    });
  }
  let hung = false;
  const endAll = () => {
    try {
      process.kill(-(child.pid ?? 0), "SIGKILL");
    } catch {
      // everything has ended
    }
  };
  const limit = setTimeout(() => {
    hung = true;
    endAll();
  }, limitMs);
  return new Promise((done) =>
    child.once("exit", (code) => {
      clearTimeout(limit);
      endAll();
      const outcome = hung ? "hung" : code === 0 ? "passed" : "failed";
      done({ outcome, ms: Math.round(performance.now() - began), output });
    }),
  );
}

/** The path of a URL of coverage inside the folder; undefined outside of its `src`. */
export function sourceOf(url: string, folder: string): string | undefined {
  if (!url.startsWith("file:")) return undefined;
  const path = fileURLToPath(url);
  return path.startsWith(join(folder, "src/")) ? path.slice(folder.length + 1) : undefined;
}
