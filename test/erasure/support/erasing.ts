import assert from "node:assert/strict";
import { unzipSync } from "fflate";
import type { Permission } from "../../../src/core/permission.ts";
import { bodyOf } from "../../api/support/v1.ts";
import type { KeyActor, World } from "../../world.ts";

const ALL: readonly Permission[] = [
  ...(["leads:read", "leads:write", "leads:erase", "schema:write"] as const),
  ...(["datasets:read", "datasets:write", "datasets:import"] as const),
];

/** A key, made as the command line makes it, with every permission. */
export const eraser = (the: World, projectId = the.project.id): Promise<KeyActor> => the.key(ALL, projectId);

export interface Erased {
  certificate: string | null;
  dry_run: boolean;
  erased: Record<string, number>;
  earlier: { id: string; erased_at: string }[];
}

export const erasePerson = async (key: KeyActor, body: object): Promise<Erased> =>
  await bodyOf<Erased>(await key.send("POST", "/api/v1/people/erase", body));

/** The tables of the database, the queue's too, that contain a text in any column and any case. */
export async function tablesWith(the: World, text: string): Promise<string[]> {
  const tables = await the.sql<{ name: string; columns: string }>(
    `SELECT CASE n.nspname WHEN 'leadgate' THEN c.relname ELSE n.nspname || '.' || c.relname END AS name, string_agg(CASE WHEN a.atttypid = 'bytea'::regtype
       THEN format('encode(%I, ''escape'')', a.attname) ELSE format('%I::text', a.attname) END, ', ') AS columns
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relkind IN ('r', 'p') AND c.relpersistence <> 't' AND a.attnum > 0 AND NOT a.attisdropped
       AND n.nspname NOT IN ('pg_catalog', 'information_schema', 'pg_toast') GROUP BY n.nspname, c.relname`,
  );
  assert.ok(tables.length > 30);
  const each = tables.map(
    ({ name, columns }) =>
      `(SELECT '${name}' AS name FROM ${name} WHERE position(lower($1) IN lower(concat_ws(' ', ${columns}))) > 0 LIMIT 1)`,
  );
  return (await the.sql<{ name: string }>(each.join(" UNION ALL "), [text])).map(({ name }) => name).sort();
}

/** The files of an archive as text, by name. */
export async function unzipped(response: Response): Promise<Record<string, string>> {
  assert.equal(response.status, 200);
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
  return Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]),
  );
}
