import { Refusal } from "../../../core/refusal.ts";
import type { Queryable } from "../../../db/pool/database.ts";
import { record } from "../../operation/audit/record.ts";
import { personOperation } from "../../operation/callers.ts";
import { tell } from "../../operation/mail/notices.ts";
import type { Service } from "../../operation/service/service.ts";

/** A passkey as its owner sees it. */
export interface Passkey {
  id: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** The WebAuthn library. It loads slowly, so it is loaded at the first use of a passkey. */
export const webauthn = (): Promise<typeof import("@simplewebauthn/server")> =>
  import("@simplewebauthn/server");

/** Our identity for authenticators (WebAuthn 5.4.2): the host of `AUTH_URL`, and the only origin that is accepted. */
export function relyingParty(service: Service): { rpID: string; origin: string } {
  const url = new URL(service.config.authUrl);
  return { rpID: url.hostname, origin: url.origin };
}

/** A person's passkeys, oldest first. */
export async function passkeysOf(db: Queryable, personId: string): Promise<Passkey[]> {
  return await db.query<Passkey>(
    `SELECT id, name, created_at AS "createdAt", last_used_at AS "lastUsedAt"
     FROM passkey WHERE person_id = $1 ORDER BY created_at, id`,
    [personId],
  );
}

/** The passkeys of the signed-in person, oldest first. */
export const listPasskeys = personOperation({
  name: "passkeys.list",
  run: async ({ db, caller }): Promise<Passkey[]> => await passkeysOf(db, caller.person.id),
});

/** Removes one of the person's passkeys; `not_found` if it does not exist or belongs to another person. */
export const removePasskey = personOperation({
  name: "passkeys.remove",
  async run({ service, db, caller }, { id }: { id: string }) {
    const personId = caller.person.id;
    const name = await db.transaction(async (tx) => {
      const [gone] = await tx.query<{ name: string }>(
        "DELETE FROM passkey WHERE id = $1 AND person_id = $2 RETURNING name",
        [id, personId],
      );
      if (gone === undefined) {
        throw new Refusal(
          "not_found",
          "no_passkey",
          "You do not have this passkey. It may already have been removed.",
        );
      }
      const data = { name: gone.name };
      await record(service, tx, { action: "person.passkey_removed", personId, actor: personId, data });
      return gone.name;
    });
    tell(service, personId, { kind: "passkey_removed", name });
  },
});
