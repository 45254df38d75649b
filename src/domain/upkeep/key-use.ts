import { fingerprintOf, seal, unseal } from "../../core/secret.ts";
import { LIVING } from "../../db/migration/older-instances.ts";
import { serviceDoor } from "../../db/pool/project-door.ts";
import { totpPurpose } from "../accounts/sign-in/totp.ts";
import type { Service } from "../operation/service/service.ts";
import { suppressionPurpose } from "../suppression/hashes.ts";
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
  /** Projects whose key of suppressions it sealed. */
  suppressions: number;
  /** Whether nothing needs it any more. */
  removable: boolean;
}

/** The use of each key by its fingerprint. The other counts belong to no key that is known here. */
interface KeysInUse {
  [fingerprint: string]: KeyUse | number;
  /** Living authorizations from before authorizations named their key: any key may have signed. */
  authorizations_without_key: number;
  /** Secrets of authenticator apps that no key of `SECRET_KEY` opens. */
  authenticators_without_key: number;
  /** Projects whose key of suppressions no key of `SECRET_KEY` opens: they take no addresses. */
  suppressions_without_key: number;
}

const AUTHORIZATIONS = `SELECT coalesce(signed_by, '') AS key, count(*) AS count FROM "authorization"
  WHERE project_id = $1 AND revoked_at IS NULL AND refresh_expires_at > moment() GROUP BY 1`;

const INSTANCES = `SELECT key, count(*) AS count FROM instance CROSS JOIN unnest(keys) key
  WHERE seen_at > moment() - ${LIVING} GROUP BY 1`;

const PAGE = 500;

/** Secrets that are sealed in the database, a page at a time, and how one is replaced. */
const SEALED = {
  authenticators: {
    read: `SELECT id, totp_sealed AS sealed FROM person WHERE totp_sealed IS NOT NULL AND id > $1 ORDER BY id LIMIT ${PAGE}`,
    write: "UPDATE person SET totp_sealed = $3 WHERE id = $1 AND totp_sealed = $2",
    purposeOf: totpPurpose,
  },
  suppressions: {
    read: `SELECT project_id AS id, suppression_key AS sealed FROM store.project
      WHERE suppression_key IS NOT NULL AND project_id > $1 ORDER BY project_id LIMIT ${PAGE}`,
    write: "UPDATE store.project SET suppression_key = $3 WHERE project_id = $1 AND suppression_key = $2",
    purposeOf: suppressionPurpose,
  },
} as const;

type SealedKind = keyof typeof SEALED;
const KINDS = Object.keys(SEALED) as SealedKind[];

interface Counted {
  key: string;
  count: number;
}

/** Counts what each key is still needed for, in all projects, for the operator. */
export async function keyUse(service: Service): Promise<KeysInUse> {
  const { db, config } = service;
  const authorizations = new Map<string, number>();
  for await (const projectId of everyProject(db)) {
    const rows = await db.behind(serviceDoor(projectId)).query<Counted>(AUTHORIZATIONS, [projectId]);
    for (const { key, count } of rows) add(authorizations, key, count);
  }
  const sealed = { authenticators: new Map<string, number>(), suppressions: new Map<string, number>() };
  for (const kind of KINDS)
    for await (const { key } of sealedOf(service, kind))
      add(sealed[kind], key === undefined ? "" : fingerprintOf(key), 1);
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
      authenticators: sealed.authenticators.get(key) ?? 0,
      suppressions: sealed.suppressions.get(key) ?? 0,
    };
    const isNeeded = signs || unnamed + Object.values(counts).reduce((sum, count) => sum + count) > 0;
    const known = { in_secret_key: ours.includes(key), instances: instances.get(key) ?? 0 };
    return [key, { signs, ...known, ...counts, removable: !isNeeded }];
  });
  return {
    ...Object.fromEntries(uses),
    authorizations_without_key: unnamed,
    authenticators_without_key: sealed.authenticators.get("") ?? 0,
    suppressions_without_key: sealed.suppressions.get("") ?? 0,
  };
}

/**
 * Seals with the key that signs what is sealed: the secrets of authenticator apps, those of people who sign in are anyway, and the keys
 * of suppressions.
 */
export async function resealSecrets(service: Service): Promise<void> {
  const { secretKeys } = service.config;
  for (const kind of KINDS)
    for await (const { id, sealed, key, secret } of sealedOf(service, kind)) {
      if (secret === undefined || key === secretKeys[0]) continue;
      const again = seal(secretKeys, SEALED[kind].purposeOf(id), secret);
      await service.db.visitAll(SEALED[kind].write, [id, sealed, again]);
    }
}

interface Sealed {
  id: string;
  sealed: string;
  /** The key that opens the secret, and the secret; undefined if none of ours does. */
  key: string | undefined;
  secret: string | undefined;
}

async function* sealedOf({ db, config }: Service, kind: SealedKind): AsyncGenerator<Sealed> {
  const { read, purposeOf } = SEALED[kind];
  for (let last = ""; ; ) {
    const rows = await db.visitAll<{ id: string; sealed: string }>(read, [last]);
    for (const { id, sealed } of rows) {
      const opened = config.secretKeys.map((key) => ({ key, secret: unseal([key], purposeOf(id), sealed) }));
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
