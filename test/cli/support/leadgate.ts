import { spawn } from "node:child_process";
import type { World } from "../../world.ts";

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** Runs a command of the command line while the service runs. */
export function leadgate(the: World, words: string[], input = ""): Promise<Ended> {
  const child = spawn(process.execPath, ["src/main.ts", ...words], {
    env: { PATH: process.env.PATH, ...the.env, LOG_LEVEL: "warn" },
  });
  const ended: Ended = { code: null, out: "", err: "" };
  child.stdout.on("data", (data: Buffer) => {
    ended.out += data.toString();
  });
  child.stderr.on("data", (data: Buffer) => {
    ended.err += data.toString();
  });
  child.stdin.end(input);
  return new Promise((resolve) => child.once("close", (code) => resolve({ ...ended, code })));
}
