import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { arrayText } from "../../../src/domain/sql/as-literals.ts";

export interface Floor {
  program: string;
  databaseUrl: string;
  projectId: string;
  statement: { text: string; values: readonly unknown[] };
  connections: number;
}

/**
 * Prepares a pgbench script, which runs with the project set; returns a function that runs it for some seconds and returns
 * transactions per second.
 */
export const pgbenchScript = (
  floor: Omit<Floor, "statement"> & { script: string; variables?: string[] },
): ((seconds: number) => Promise<number>) => pgbenchScripts({ ...floor, scripts: [floor.script] });

/** The same for several statements, drawn at random for each transaction. */
export function pgbenchMix({
  statements,
  ...floor
}: Omit<Floor, "statement"> & { statements: readonly Floor["statement"][] }): (
  seconds: number,
) => Promise<number> {
  const each = statements.map(({ text, values }, i) => scriptOf(text, values, `s${i}v`));
  return pgbenchScripts({
    ...floor,
    scripts: each.map(({ sql }) => `${sql};\n`),
    variables: each.flatMap(({ variables }) => variables),
  });
}

function pgbenchScripts(
  floor: Omit<Floor, "statement"> & { scripts: readonly string[]; variables?: string[] },
): (seconds: number) => Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "leadgate-pgbench-"));
  const files = floor.scripts.map((script, i) => {
    const file = join(folder, `${i}.sql`);
    writeFileSync(file, script);
    return file;
  });
  const settings = `-c leadgate.project=${floor.projectId} -c search_path=leadgate,public -c TimeZone=UTC -c jit=off`;
  const fixed = [
    "-n",
    "-M",
    "prepared",
    "-c",
    String(floor.connections),
    "-j",
    "2",
    ...files.flatMap((file) => ["-f", file]),
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
function scriptOf(
  text: string,
  values: readonly unknown[],
  name = "v",
): { sql: string; variables: string[] } {
  const sql = text.replace(/'(?:[^']|'')*'|\$(\d+)/g, (piece, number?: string) => {
    if (number === undefined)
      return /:\w/.test(piece) ? `E${piece.replaceAll("\\", "\\\\").replaceAll(":", "\\x3a")}` : piece;
    return values[Number(number) - 1] === null ? "NULL" : `:${name}${number}`;
  });
  const variables = values.flatMap((value, i) =>
    value === null ? [] : ["-D", `${name}${i + 1}=${variable(value)}`],
  );
  return { sql: sql.trim().replace(/;$/, ""), variables };
}

function variable(value: unknown): string {
  if (Array.isArray(value)) return arrayText(value.map(String));
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
