import { ROTATE } from "../../../src/domain/grants/refresh-tokens.ts";
import { type Ground, prepareTokens } from "../../../test/oauth/support/inserted-grants.ts";
import type { BenchDatabase } from "../support/database.ts";
import { pgbenchScript } from "../support/pgbench.ts";

/**
 * Runs a refresh's statement in pgbench, each connection on its own authorization: the highest rate that
 * PostgreSQL allows.
 */
export async function refreshFloor(floor: {
  program: string;
  database: BenchDatabase;
  ground: Ground;
  connections: number;
}): Promise<(seconds: number) => Promise<number>> {
  const { program, database, ground, connections } = floor;
  const { projectId, clientId } = ground;
  const made = await prepareTokens(database, ground, connections);
  await database.sql("DELETE FROM store.access_token WHERE authorization_id = ANY($1)", [
    made.map(({ id }) => id),
  ]);
  for (const [index, { id }] of made.entries()) {
    await database.sql(`UPDATE store."authorization" SET id = $3 WHERE project_id = $1 AND id = $2`, [
      ...[projectId, id, `az_bench${index}`],
    ]);
  }
  const secret = "sha256(int8send(:n))";
  // Comparing a column with itself is always true: pgbench does not know what the last rotation stored.
  const values = [
    ...[`'${projectId}'`, "'az_bench' || :client_id", "generation", "refresh_hash", `'${clientId}'`],
    ...[secret, "7776000", "NULL", secret, "3600", "'127.0.0.1'", "'127.0.0.1'", "'req_bench'", "signed_by"],
  ];
  const statement = ROTATE.replace(/\$(\d+)/g, (_, number: string) => values[Number(number) - 1] ?? "");
  const script = `\\set n random(1, 9000000000000000000)\n${statement};\n`;
  return pgbenchScript({ program, databaseUrl: database.url, projectId, script, connections });
}
