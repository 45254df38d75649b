import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

const ENTER_MS = 2_500;

/** How a program ended and what it printed. */
export interface Ended {
  /** null if it was ended for taking too long. */
  code: number | null;
  out: string;
}

export interface ProgramOptions {
  cwd: string;
  env: Record<string, string>;
  limitMs: number;
  /**
   * What is typed into a terminal of the program, each line as soon as the output since the line before matches, and
   * a pause after it. The
   * terminal is one of `script`, which util-linux has. Without it, the program has neither a terminal nor an input.
   */
  terminal?: readonly (readonly [seen: RegExp, typed: string, pauseMs?: number])[];
}

/** Runs a program and returns what it printed on both streams. After the time limit, its whole group is killed. */
export async function run(words: readonly string[], options: ProgramOptions): Promise<Ended> {
  const { cwd, env, limitMs, terminal } = options;
  const [program = "", ...args] = terminal === undefined ? words : inTerminal(words);
  const child = spawn(program, args, {
    ...{ cwd, env, detached: true },
    stdio: [terminal === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  let out = "";
  let typedAt = 0;
  const toType = [...(terminal ?? [])];
  const type = (text: string, pauseMs: number) => {
    setTimeout(() => child.stdin?.write(text), pauseMs);
    // Some programs take an Enter that comes with the text for a part of a pasted text.
    setTimeout(() => child.stdin?.write("\r"), pauseMs + ENTER_MS);
  };
  child.stdin?.on("error", () => undefined);
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (data: Buffer) => {
      out += data.toString();
      const [seen, text = "", pauseMs = 0] = toType[0] ?? [];
      if (seen?.test(stripped(out.slice(typedAt))) !== true) return;
      typedAt = out.length;
      toType.shift();
      type(text, pauseMs);
    });
  const { pid = 0 } = child;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    kill(-pid);
  }, limitMs);
  // A daemon that it started may keep the streams open, so this does not wait for their end.
  const code = await new Promise<number | null>((resolve) => {
    child.once("error", (error) => {
      out += error.message;
      resolve(127);
    });
    child.once("exit", (ended) => setTimeout(() => resolve(ended), 200));
  });
  clearTimeout(timer);
  return { code: isLate ? null : code, out };
}

/** Returns the command with a terminal that is large enough to show an interface. */
function inTerminal(words: readonly string[]): string[] {
  const quoted = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  return ["script", "-qec", `stty rows 50 cols 160; exec ${quoted}`, "/dev/null"];
}

/** Returns output without the sequences that move the cursor or set colours. */
export const stripped = (out: string): string => stripVTControlCharacters(out);

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

/** Ends what is left of programs that were started with this home: daemons that outlive their command. Linux only. */
export function endAllOf(home: string): number {
  const left = readdirSync("/proc").filter(
    (name) => /^\d+$/.test(name) && environmentOf(name).includes(home),
  );
  for (const pid of left) kill(Number(pid));
  return left.length;
}

function environmentOf(pid: string): string[] {
  try {
    const pairs = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    return pairs.filter((pair) => pair.startsWith("HOME=")).map((pair) => pair.slice("HOME=".length));
  } catch {
    return [];
  }
}
