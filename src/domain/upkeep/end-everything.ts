import { BACKUP_OWNER } from "../../db/backup/owner.ts";
import type { Transaction } from "../../db/pool/database.ts";
import { CHANGING_ALL } from "../../db/statements/session-settings.ts";
import type { Service } from "../operation/service/service.ts";
import { continueFeed } from "./continue-feed.ts";

/** How much was ended; `epoch` counts how often this was done. */
export interface Everything {
  epoch: number;
  sessions: number;
  authorizations: number;
  codes: number;
  access_tokens: number;
}

const EPOCH = `UPDATE service_state SET value = (value::bigint + 1)::text WHERE key = 'epoch'
  RETURNING value::int AS gone`;

const AUTHORIZATIONS = `WITH ended AS (
    UPDATE store."authorization" SET revoked_at = moment(), revoked_why = 'restored'
    WHERE revoked_at IS NULL RETURNING 1
  ) SELECT count(*)::int AS gone FROM ended`;

const allOf = (table: string): string =>
  `WITH ended AS (DELETE FROM ${table} RETURNING 1) SELECT count(*)::int AS gone FROM ended`;

/**
 * Ends every session, code, token, authorization and link, in one transaction, and lets the feed continue. Needed after
 * restoring a backup, which may bring back what was used up or revoked since. Affects all projects; only the operator may do it.
 */
export async function endEverything(service: Service): Promise<Everything> {
  // First and separately: it blocks writers, which should not wait for what follows.
  await continueFeed(service);
  return await service.db.transaction(async (tx) => {
    await tx.allow(0);
    await tx.query(CHANGING_ALL.text);
    // Codes first, then authorizations: this waits for a concurrent exchange, and what it made ends too.
    const ended = {
      epoch: await count(tx, EPOCH),
      sessions: await count(tx, allOf("session")),
      codes: await count(tx, allOf("store.authorization_code")),
      authorizations: await count(tx, AUTHORIZATIONS),
      access_tokens: await count(tx, allOf("store.access_token")),
    };
    for (const links of ["setup_link", "reset_link", "new_email", "passkey_challenge", "store.invitation"]) {
      await tx.query(`DELETE FROM ${links}`);
    }
    // They describe the backups of the database that was lost.
    await tx.query("DELETE FROM backup_report");
    // The service of before may still make backups in the same folder.
    await tx.query("DELETE FROM service_state WHERE key = $1", [BACKUP_OWNER]);
    await tx.query("INSERT INTO audit (action, project_id, data) VALUES ('service.restored', '', $1)", [
      JSON.stringify(ended),
    ]);
    return ended;
  });
}

async function count(tx: Transaction, statement: string): Promise<number> {
  return (await tx.query<{ gone: number }>(statement))[0]?.gone ?? 0;
}
