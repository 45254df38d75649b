import { fingerprintOf, seal, unseal } from "../../core/secret.ts";
import { LIVING } from "../../db/migration/older-instances.ts";
import { serviceDoor } from "../../db/pool/project-door.ts";
import { totpPurpose } from "../accounts/sign-in/totp.ts";
import type { Service } from "../operation/service/service.ts";
import { everyProject } from "../tenancy/every-project.ts";
import { SIGNING_KEY } from "./signing-key.ts";

/** What a secret key is still needed for. */
interface KeyUse {
  signs: boolean;
  in_secret_key: boolean;
  /** Running instances that know it. */
  instances: number;
  /** Living authorizations whose refresh token it signed. */
  authorizations: number;
  /** Secrets of authenticator apps that it sealed. */
  authenticators: number;
  /** Whether nothing needs it any more. */
  removable: boolean;
}

/** The use of each key by its fingerprint. The other two counts belong to no key that is known here. */
interface KeysInUse {
  [fingerprint: string]: KeyUse | number;
  /** Living authorizations from before authorizations named their key: any key may have signed. */
  authorizations_without_key: number;
  /** Secrets of authenticator apps that no key of `SECRET_KEY` opens. */
  authenticators_without_key: number;
}

const AUTHORIZATIONS = `SELECT coalesce(signed_by, '') AS key, count(*) AS count FROM "authorization"
  WHERE project_id = $1 AND revoked_at IS NULL AND refresh_expires_at > moment() GROUP BY 1`;

const INSTANCES = `SELECT key, count(*) AS count FROM instance CROSS JOIN unnest(keys) key
  WHERE seen_at > moment() - ${LIVING} GROUP BY 1`;

const PAGE = 500;
const AUTHENTICATORS = `SELECT id, totp_sealed AS sealed FROM person
  WHERE totp_sealed IS NOT NULL AND id > $1 ORDER BY id LIMIT ${PAGE}`;

interface Counted {
  key: string;
  count: number;
}

/** Counts what each key is still needed for, in all projects, for the operator. */
export async function keyUse(service: Service): Promise<KeysInUse> {
  const { db, config } = service;
  const [authorizations, authenticators] = [new Map<string, number>(), new Map<string, number>()];
  for await (const projectId of everyProject(db)) {
    const rows = await db.behind(serviceDoor(projectId)).query<Counted>(AUTHORIZATIONS, [projectId]);
    for (const { key, count } of rows) add(authorizations, key, count);
  }
  for await (const { key } of authenticatorsOf(service))
    add(authenticators, key === undefined ? "" : fingerprintOf(key), 1);
  const instances = new Map(
    (await db.query<Counted>(INSTANCES)).map(({ key, count }) => [key, count] as const),
  );
  const [state] = await db.query<{ current: string }>(SIGNING_KEY);
  const ours = config.secretKeys.map(fingerprintOf);
  const unnamed = authorizations.get("") ?? 0;
  const all = new Set([...ours, ...instances.keys(), ...authorizations.keys()]);
  all.delete("");
  const uses = [...all].map((key): [string, KeyUse] => {
    const signs = key === state?.current;
    const counts = {
      authorizations: authorizations.get(key) ?? 0,
      authenticators: authenticators.get(key) ?? 0,
    };
    const isNeeded = signs || unnamed + counts.authorizations + counts.authenticators > 0;
    const known = { in_secret_key: ours.includes(key), instances: instances.get(key) ?? 0 };
    return [key, { signs, ...known, ...counts, removable: !isNeeded }];
  });
  return {
    ...Object.fromEntries(uses),
    authorizations_without_key: unnamed,
    authenticators_without_key: authenticators.get("") ?? 0,
  };
}

/** Seals the secrets of all authenticator apps with the key that signs; those of people who sign in are anyway. */
export async function resealAuthenticators(service: Service): Promise<void> {
  const { secretKeys } = service.config;
  for await (const { id, sealed, key, secret } of authenticatorsOf(service)) {
    if (secret === undefined || key === secretKeys[0]) continue;
    const again = seal(secretKeys, totpPurpose(id), secret);
    await service.db.query("UPDATE person SET totp_sealed = $3 WHERE id = $1 AND totp_sealed = $2", [
      ...[id, sealed, again],
    ]);
  }
}

interface Authenticator {
  id: string;
  sealed: string;
  /** The key that opens the secret, and the secret; undefined if none of ours does. */
  key: string | undefined;
  secret: string | undefined;
}

async function* authenticatorsOf({ db, config }: Service): AsyncGenerator<Authenticator> {
  for (let last = ""; ; ) {
    const rows = await db.query<{ id: string; sealed: string }>(AUTHENTICATORS, [last]);
    for (const { id, sealed } of rows) {
      const opened = config.secretKeys.map((key) => ({
        key,
        secret: unseal([key], totpPurpose(id), sealed),
      }));
      const { key, secret } = opened.find((each) => each.secret !== undefined) ?? {};
      yield { id, sealed, key, secret };
    }
    if (rows.length < PAGE) return;
    last = rows.at(-1)?.id ?? "";
  }
}

const add = (counts: Map<string, number>, key: string, count: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + count);
};
