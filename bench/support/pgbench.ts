import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { arrayText } from "../../src/domain/sql/copy-in.ts";

export interface Floor {
  program: string;
  databaseUrl: string;
  projectId: string;
  statement: { text: string; values: readonly unknown[] };
  connections: number;
}

/**
 * Prepares a statement as a pgbench script; returns a function that runs it for some seconds and returns
 * transactions per second.
 */
export function pgbench(floor: Floor): (seconds: number) => Promise<number> {
  const { sql, variables } = scriptOf(floor.statement.text, floor.statement.values);
  return pgbenchScript({ ...floor, script: `${sql};\n`, variables });
}

/** The same for an entire script, which runs with the project set. */
export function pgbenchScript(
  floor: Omit<Floor, "statement"> & { script: string; variables?: string[] },
): (seconds: number) => Promise<number> {
  const script = join(mkdtempSync(join(tmpdir(), "leadgate-pgbench-")), "script.sql");
  writeFileSync(script, floor.script);
  const settings = `-c leadgate.project=${floor.projectId} -c search_path=leadgate,public -c TimeZone=UTC -c jit=off`;
  const fixed = [
    "-n",
    "-M",
    "prepared",
    "-c",
    String(floor.connections),
    "-j",
    "2",
    "-f",
    script,
    ...(floor.variables ?? []),
  ];
  return async (seconds) => {
    const { stdout } = await promisify(execFile)(
      floor.program,
      [...fixed, "-T", String(seconds), floor.databaseUrl],
      {
        env: { ...process.env, PGOPTIONS: settings },
      },
    );
    const tps = /tps = ([\d.]+) \(without/.exec(stdout)?.[1];
    if (tps === undefined) throw new Error(`pgbench said no rate:\n${stdout}`);
    return Number(tps);
  };
}

/**
 * Returns the statement with its parameters as pgbench variables. pgbench replaces `:name` even inside
 * strings, so colons there are escaped.
 */
function scriptOf(text: string, values: readonly unknown[]): { sql: string; variables: string[] } {
  const sql = text.replace(/'(?:[^']|'')*'|\$(\d+)/g, (piece, number?: string) => {
    if (number === undefined)
      return /:\w/.test(piece) ? `E${piece.replaceAll("\\", "\\\\").replaceAll(":", "\\x3a")}` : piece;
    return values[Number(number) - 1] === null ? "NULL" : `:v${number}`;
  });
  const variables = values.flatMap((value, i) =>
    value === null ? [] : ["-D", `v${i + 1}=${variable(value)}`],
  );
  return { sql: sql.trim().replace(/;$/, ""), variables };
}

function variable(value: unknown): string {
  if (Array.isArray(value)) return arrayText(value.map(String));
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
