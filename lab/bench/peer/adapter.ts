import type { Adapter, AdapterPayload } from "oidc-provider";
import type pg from "pg";

/** The peer's table: one row per model instance, found by key, by grant, or by uid. */
export const PEER_SCHEMA = `
  CREATE SCHEMA IF NOT EXISTS peer;
  CREATE TABLE IF NOT EXISTS peer.model (
    name text COLLATE "C" NOT NULL,
    id text COLLATE "C" NOT NULL,
    payload jsonb NOT NULL,
    grant_id text COLLATE "C",
    uid text COLLATE "C",
    expires_at timestamptz,
    consumed_at bigint,
    PRIMARY KEY (name, id)
  );
  CREATE INDEX IF NOT EXISTS model_grant ON peer.model (grant_id) WHERE grant_id IS NOT NULL;
  CREATE INDEX IF NOT EXISTS model_uid ON peer.model (uid) WHERE uid IS NOT NULL;
`;

/**
 * Returns as good an adapter as oidc-provider's seven methods allow: prepared statements, indexes, an atomic
 * consume.
 */
export function adapterOn(pool: pg.Pool): (name: string) => Adapter {
  const ask = async (key: string, text: string, values: unknown[]) =>
    (await pool.query({ name: `peer_${key}`, text, values })).rows as {
      payload: AdapterPayload;
      consumed: number | null;
    }[];
  const READ = `SELECT payload, consumed_at AS consumed FROM peer.model
    WHERE (expires_at IS NULL OR expires_at > now()) AND`;
  const one = (rows: Awaited<ReturnType<typeof ask>>): AdapterPayload | undefined => {
    const row = rows[0];
    return row && (row.consumed === null ? row.payload : { ...row.payload, consumed: row.consumed });
  };
  return (name) => ({
    async upsert(id, payload, expiresIn) {
      await ask(
        "upsert",
        `INSERT INTO peer.model (name, id, payload, grant_id, uid, expires_at)
         VALUES ($1, $2, $3, $4, $5, now() + make_interval(secs => $6))
         ON CONFLICT (name, id) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at`,
        [name, id, JSON.stringify(payload), payload.grantId ?? null, payload.uid ?? null, expiresIn ?? null],
      );
    },
    find: async (id) => one(await ask("find", `${READ} name = $1 AND id = $2`, [name, id])),
    findByUid: async (uid) => one(await ask("uid", `${READ} name = $1 AND uid = $2`, [name, uid])),
    findByUserCode: async () => undefined,
    async consume(id) {
      const consumed = await ask(
        "consume",
        `UPDATE peer.model SET consumed_at = extract(epoch FROM now())::bigint
         WHERE name = $1 AND id = $2 AND consumed_at IS NULL RETURNING payload, consumed_at AS consumed`,
        [name, id],
      );
      if (consumed.length === 0) throw new Error("consumed already");
    },
    async destroy(id) {
      await ask("destroy", "DELETE FROM peer.model WHERE name = $1 AND id = $2", [name, id]);
    },
    async revokeByGrantId(grantId) {
      await ask("revoke", "DELETE FROM peer.model WHERE grant_id = $1", [grantId]);
    },
  });
}
