import { spawn } from "node:child_process";
import { join } from "node:path";
import type { World } from "../../world.ts";

/** What a command line printed. */
export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** Runs a command of the command line while the service runs. */
export const leadgate = (the: World, words: string[], input = ""): Promise<Ended> =>
  ran(words, { env: { PATH: process.env.PATH ?? "", ...the.env, LOG_LEVEL: "warn" }, input });

/** Runs a command of the command line of the code in a folder. */
export function ran(
  words: readonly string[],
  { env, code = ".", input }: { env: Record<string, string>; code?: string; input: string },
): Promise<Ended> {
  const child = spawn(process.execPath, [join(code, "src/main.ts"), ...words], { env });
  const ended: Ended = { code: null, out: "", err: "" };
  child.stdout.on("data", (data: Buffer) => {
    ended.out += data.toString();
  });
  child.stderr.on("data", (data: Buffer) => {
    ended.err += data.toString();
  });
  child.stdin.end(input);
  return new Promise((resolve) => child.once("close", (exit) => resolve({ ...ended, code: exit })));
}
