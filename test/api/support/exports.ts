import { setTimeout as sleep } from "node:timers/promises";
import type { KeyActor, World } from "../../world.ts";
import { bodyOf } from "./v1.ts";

export interface Export {
  id: string;
  state: string;
  format: string;
  query: object;
  actor: { type: string; id: string };
  done: number;
  total: number | null;
  bytes: number | null;
  error: { code: string; message: string } | null;
  expires_at: string | null;
}

/** Creates leads with so much text that no buffer in between holds all of them, compressed or not: about 2 KB each. */
export const fill = (the: World, count: number, projectId = the.project.id): Promise<unknown> =>
  the.sql(
    `INSERT INTO store.lead (project_id, id, name, landing_page, created_at)
     SELECT $1, 'lead_' || lpad(to_hex(i), 26, '0'), 'n' || i,
       (SELECT string_agg(md5(i || ' ' || n), '') FROM generate_series(1, 60) n), now() - i * interval '1 s'
     FROM generate_series(1, $2::integer) i`,
    [projectId, count],
  );

/** Returns how many COPY statements are running. */
export async function copying(the: World): Promise<number> {
  const rows = await the.sql<{ n: number }>(
    `SELECT count(*)::integer AS n FROM pg_stat_activity
     WHERE datname = current_database() AND state = 'active' AND query LIKE 'COPY (%'`,
  );
  return rows[0]?.n ?? 0;
}

export async function untilNoneCopies(the: World): Promise<void> {
  while ((await copying(the)) > 0) await sleep(20);
}

export const startedExport = async (key: KeyActor, body: object = {}): Promise<Export> =>
  await bodyOf<Export>(await key.send("POST", "/api/v1/exports", body), 202);

export const readExport = async (key: KeyActor, id: string): Promise<Export> =>
  await bodyOf<Export>(await key.send("GET", `/api/v1/exports/${id}`));

/** Returns the export once it has ended, however. */
export async function endedExport(key: KeyActor, id: string): Promise<Export> {
  for (;;) {
    const state = await readExport(key, id);
    if (state.state !== "waiting" && state.state !== "running") return state;
    await sleep(30);
  }
}
