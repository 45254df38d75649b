import { serviceDoor } from "../../db/pool/project-door.ts";
import { CHANGING_ALL } from "../../db/statements/session-settings.ts";
import type { LeadPatch } from "../fields/lead-input.ts";
import type { Sealing, Service } from "../operation/service/service.ts";
import { sealedKey, suppress } from "../suppression/hashes.ts";

const PAGE = 1_000;
const PAGE_MS = 120_000;

const WAITING = `SELECT project_id AS id FROM store.project WHERE NOT suppressions_complete OR suppression_key IS NULL ORDER BY 1`;
const MAKE = "UPDATE project SET suppression_key = coalesce(suppression_key, $2) WHERE project_id = $1";
/** Locked, so that nobody clears an opt-out between this and what is kept. */
const OPTED_OUT = `SELECT id, email, emails, phone_e164, phones FROM lead
  WHERE project_id = $1 AND id > $2 AND do_not_contact ORDER BY id LIMIT ${PAGE} FOR SHARE`;
const COMPLETE = "UPDATE project SET suppressions_complete = true WHERE project_id = $1";

/**
 * Suppresses the addresses of leads that opted out under a release that did not, or before a restore without the secret key. Works in
 * batches; after a crash, the next call begins the project again.
 */
export async function collectOptOuts({ db, config }: Pick<Service, "db"> & Sealing): Promise<void> {
  const { secretKeys } = config;
  for (const { id: projectId } of await db.visitAll<{ id: string }>(WAITING)) {
    const opening = { projectId, secretKeys };
    const own = db.behind(serviceDoor(projectId), { lane: "long", owner: projectId });
    await own.query(MAKE, [projectId, sealedKey(opening)]);
    for (let last: string | undefined = ""; last !== undefined; )
      last = await own.transaction(async (tx) => {
        await tx.allow(PAGE_MS);
        const rows = await tx.query<LeadPatch & { id: string }>(OPTED_OUT, [projectId, last]);
        await suppress(tx, opening, rows);
        return rows.length < PAGE ? undefined : rows.at(-1)?.id;
      });
    await own.query(COMPLETE, [projectId]);
  }
}

const COUNT = "SELECT count(*)::integer AS count FROM store.suppression";
const FORGET = [
  "DELETE FROM store.suppression",
  "UPDATE store.project SET suppression_key = NULL, suppressions_complete = false",
];

/**
 * Forgets what a lost secret key has sealed: the keys of projects, and with them whom they suppress. Collects again what leads say;
 * returns how many addresses are lost, those of leads that are gone.
 */
export async function forgetSuppressions(service: Pick<Service, "db"> & Sealing): Promise<number> {
  const { db } = service;
  const count = async () => (await db.visitAll<{ count: number }>(COUNT))[0]?.count ?? 0;
  const before = await count();
  await db.transaction(async (tx) => {
    await tx.allow(0);
    for (const text of [CHANGING_ALL.text, ...FORGET]) await tx.query(text);
  });
  await collectOptOuts(service);
  return before - (await count());
}
