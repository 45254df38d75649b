import { notFound } from "../../core/refusal.ts";
import { record } from "../operation/audit/record.ts";
import { managerOperation } from "../operation/callers.ts";

// Returns the row before the change, locked: a second revocation changes nothing and is not audited again.
const REVOKE = `WITH key AS (
    SELECT id, name, revoked_at FROM api_key WHERE project_id = $1 AND id = $2 FOR UPDATE
  ), revoked AS (
    UPDATE api_key SET revoked_at = moment() FROM key
    WHERE api_key.project_id = $1 AND api_key.id = key.id AND key.revoked_at IS NULL
  ) SELECT name, revoked_at IS NULL AS living FROM key`;

/** Revokes a key, which is refused from the next request on, on every instance. Revoking it again is not an error. */
export const revokeKey = managerOperation({
  name: "keys.revoke",
  async run({ service, db, caller: { projectId, personId } }, { id }: { id: string }) {
    await db.transaction(async (tx) => {
      const [key] = await tx.query<{ name: string; living: boolean }>(REVOKE, [projectId, id]);
      if (key === undefined) throw notFound("API key");
      const data = { key_id: id, key_name: key.name };
      if (key.living) await record(service, tx, { action: "key.revoked", projectId, actor: personId, data });
    });
  },
});
