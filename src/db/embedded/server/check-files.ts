import { EmbeddedError } from "../host/embedded-error.ts";
import type { RunAs } from "../host/run-as.ts";
import { runProgram } from "../host/run-program.ts";

/** What PostgreSQL compares first, by the name that it gives to it. */
const WORDS: Readonly<Record<string, string>> = {
  PG_CONTROL_VERSION: "the format of the control file",
  CATALOG_VERSION_NO: "the version of the catalog",
  MAXALIGN: "the architecture (the alignment of values)",
  BLCKSZ: "the block size",
  RELSEG_SIZE: "the segment size",
  XLOG_BLCKSZ: "the block size of the log",
};

/**
 * Compares how PostgreSQL was built with the files of a cluster whose server is stopped: formats, architecture, block and segment sizes.
 * PostgreSQL does it itself, from `global/pg_control`, before it reports a computed setting (PostgreSQL: postgres, option -C).
 */
export async function checkFiles(folder: string, runAs: RunAs): Promise<void> {
  const { postgres, pgBin, version } = runAs.binaries;
  const { code, err } = await runProgram(runAs, postgres, ["-D", folder, "-C", "data_checksums"]);
  // Any other fault is left to the start, which logs it.
  if (code === 0 || !/database files are incompatible with server/.test(err)) return;
  const [, detail = "the files were made by another build"] = /DETAIL: +(.+)/.exec(err) ?? [];
  const what = WORDS[/\bwith ([A-Z_]+)/.exec(detail)?.[1] ?? ""];
  throw new EmbeddedError(
    `${folder} does not fit PostgreSQL ${version}${pgBin === undefined ? "" : ` of PG_BIN (${pgBin})`}` +
      `${what === undefined ? "" : `: ${what} differs`}: ${detail.replace(/\.$/, "")}; ` +
      (pgBin === undefined
        ? "set PG_BIN to the PostgreSQL that created it, or restore a backup of its rows into another DATA_DIR"
        : "set PG_BIN to another build, or leave it out"),
  );
}
