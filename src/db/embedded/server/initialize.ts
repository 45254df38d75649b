import { EmbeddedError } from "../host/embedded-error.ts";
import type { RunAs } from "../host/run-as.ts";
import { runProgram } from "../host/run-program.ts";

// The builtin collation is the same on every platform; the C library's locale only classifies letters.
const locales = ["C.UTF-8", "en_US.UTF-8", "C"];

/** Runs initdb for a new cluster in `folder`, with the superuser's password from a file. */
export async function initialize(folder: string, passwordFile: string, runAs: RunAs): Promise<void> {
  let output = "";
  for (const locale of locales) {
    const result = await runProgram(runAs, runAs.binaries.initdb, [
      `--pgdata=${folder}`,
      "--username=postgres",
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--locale=C",
      `--lc-ctype=${locale}`,
      "--no-instructions",
    ]);
    if (result.code === 0) return;
    output = result.err;
    if (!/invalid locale/.test(output)) break;
  }
  throw new EmbeddedError(
    `initdb could not create ${folder}: ${output.trim().split("\n").slice(-3).join("; ")}`,
  );
}
