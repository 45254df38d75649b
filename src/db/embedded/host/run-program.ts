import { type SpawnOptions, spawn } from "node:child_process";
import { EmbeddedError } from "./embedded-error.ts";

/** How a program of PostgreSQL is started as the user who runs it. */
export interface Runner {
  command(program: string, args: string[]): { file: string; args: string[]; options: SpawnOptions };
}

/** Runs a program of PostgreSQL to its end; returns its exit code and what it printed. */
export function runProgram(
  runner: Runner,
  program: string,
  programArgs: string[],
): Promise<{ code: number | null; out: string; err: string }> {
  const { file, args, options } = runner.command(program, programArgs);
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
    const printed = { out: "", err: "" };
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      printed.out += text;
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      printed.err += text;
    });
    child.once("error", (cause) =>
      reject(new EmbeddedError(`cannot run ${program}: ${cause.message}`, { cause })),
    );
    child.once("close", (code) => resolve({ code, ...printed }));
  });
}
