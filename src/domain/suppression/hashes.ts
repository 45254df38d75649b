import { createHmac, randomBytes } from "node:crypto";
import { Refusal } from "../../core/refusal.ts";
import { seal, unseal } from "../../core/secret.ts";
import { Recent } from "../../db/wire/recent.ts";
import type { Row } from "../../db/wire/statement-batch.ts";
import type { Change } from "../changes/change.ts";
import type { LeadPatch } from "../fields/lead-input.ts";
import { e164Of } from "../values/read-phone.ts";

/**
 * A project knows whom it must not contact again by keyed hashes of e-mails and phones, which stay when a lead is gone: docs/decisions/0046.
 */

/** Hashes addresses with the project's own key. */
export interface Hasher {
  /** The hashes of the addresses that a record has, main and further ones. */
  of(record: LeadPatch): string[];
}

interface Queries {
  query<R = Row>(text: string, values?: readonly unknown[], options?: { prepare?: boolean }): Promise<R[]>;
}

/** What is needed of a change, or of a service, to open a project's key. */
interface Opening {
  projectId: string;
  secretKeys: readonly string[];
}

export const openingOf = ({ by, secretKeys }: Change): Opening => ({
  projectId: by.projectId,
  secretKeys: secretKeys(),
});

const READ = `SELECT suppression_key AS sealed, default_country AS country FROM project WHERE project_id = $1`;
const MAKE = `UPDATE project SET suppression_key = coalesce(suppression_key, $2) WHERE project_id = $1
  RETURNING suppression_key AS sealed, default_country AS country`;

export const suppressionPurpose = (projectId: string): string => `suppressions of ${projectId}`;

/** A new key of a project, sealed. */
export const sealedKey = ({ projectId, secretKeys }: Opening): string =>
  seal(secretKeys, suppressionPurpose(projectId), randomBytes(32).toString("base64url"));

/** Of 256 bits, 128 say who it is. */
const HASH_LENGTH = 22;

/** Keys by project, as they were committed. They never change, but for a restore without the secret key, behind which no process goes on. */
const keys = new Recent<string, string>(10_000);

/** The fields that give addresses. */
const ADDRESSES = ["email", "emails", "phone_e164", "phones"] as const;

const hasAddress = (record: LeadPatch): boolean =>
  ADDRESSES.some((field) => {
    const value = record[field];
    return Array.isArray(value) ? value.length > 0 : typeof value === "string";
  });

/** Whether a phone can be read only with the project's country. */
const needsCountry = ({ phones }: LeadPatch): boolean =>
  Array.isArray(phones) && phones.some((phone) => e164Of(phone, null) === null);

/**
 * Returns what hashes the addresses of these records; undefined if they have none. Makes the project's key if it has none yet. Refuses
 * (503) if the key was sealed with a secret key that is missing: whom not to contact cannot be told then.
 */
export async function hasherFor(
  db: Queries,
  opening: Opening,
  records: readonly LeadPatch[],
): Promise<Hasher | undefined> {
  if (!records.some(hasAddress)) return undefined;
  const { projectId, secretKeys } = opening;
  const name = `${projectId} ${secretKeys[0]}`;
  const known = keys.get(name);
  if (known !== undefined && !records.some(needsCountry)) return hasherBy(known, null);
  let [row] = await db.query<{ sealed: string | null; country: string | null }>(READ, [projectId], {
    prepare: true,
  });
  const isCommitted = typeof row?.sealed === "string";
  if (!isCommitted) [row] = await db.query(MAKE, [projectId, sealedKey(opening)]);
  if (typeof row?.sealed !== "string") return undefined;
  const key = unseal(secretKeys, suppressionPurpose(projectId), row.sealed);
  if (key === undefined) throw keyMissing();
  if (isCommitted) keys.set(name, key);
  return hasherBy(key, row.country);
}

const keyMissing = () =>
  new Refusal(
    "unavailable",
    "suppressions_sealed",
    "The key by which this project knows whom not to contact was sealed with a secret key that SECRET_KEY lacks. Nothing was written. " +
      "The operator adds the former key to SECRET_KEY again.",
  );

function hasherBy(key: string, country: string | null): Hasher {
  const secret = Buffer.from(key, "base64url");
  const hash = (kind: "email" | "phone", value: string) =>
    createHmac("sha256", secret).update(`${kind} ${value}`).digest("base64url").slice(0, HASH_LENGTH);
  return {
    of({ email, emails, phone_e164: phone, phones }) {
      const found = new Set<string>();
      for (const each of listed(email, emails)) found.add(hash("email", each.toLowerCase()));
      if (typeof phone === "string") found.add(hash("phone", phone));
      for (const each of listed(phones)) {
        const number = e164Of(each, country);
        if (number !== null) found.add(hash("phone", number));
      }
      return [...found];
    },
  };
}

const listed = (...values: unknown[]): string[] =>
  values.flat().filter((value): value is string => typeof value === "string");

/** SQL that is true if the project suppresses one of the hashes; `hashes` is SQL for an array of texts, perhaps NULL. */
export const suppressedSql = (project: string, hashes: string): string =>
  `EXISTS (SELECT FROM suppression AS s WHERE s.project_id = ${project} AND s.hash = ANY (${hashes}))`;

/** SQL that keeps hashes; `from` has them as rows of `hash`. */
export const keepHashesSql = (project: string, from: string): string =>
  `INSERT INTO suppression (project_id, hash) SELECT DISTINCT ${project}, hash FROM ${from} ON CONFLICT DO NOTHING`;

const KEEP = `WITH kept AS (${keepHashesSql("$1", "unnest($2::text[]) AS hash")} RETURNING 1) SELECT count(*)::integer AS count FROM kept`;
const FORGET = `WITH gone AS (DELETE FROM suppression WHERE project_id = $1 AND hash = ANY ($2::text[]) RETURNING 1)
  SELECT count(*)::integer AS count FROM gone`;

/** Suppresses the addresses of records from now on, or no longer. Returns how many were not, or were, suppressed before. */
export async function suppress(
  db: Queries,
  opening: Opening,
  records: readonly LeadPatch[],
  { lift = false } = {},
): Promise<number> {
  const hasher = await hasherFor(db, opening, records);
  if (hasher === undefined) return 0;
  // In one order, so that two writers of the same hashes do not wait for each other.
  const hashes = [...new Set(records.flatMap((record) => hasher.of(record)))].sort();
  const [done] = await db.query<{ count: number }>(lift ? FORGET : KEEP, [opening.projectId, hashes]);
  return done?.count ?? 0;
}

/** Which records have a suppressed address. */
export async function suppressedAmong(
  db: Queries,
  opening: Opening,
  records: readonly LeadPatch[],
): Promise<boolean[]> {
  const hasher = await hasherFor(db, opening, records);
  if (hasher === undefined) return records.map(() => false);
  const hashes = records.map((record) => hasher.of(record));
  const rows = await db.query<{ hash: string }>(FIND, [opening.projectId, hashes.flat()]);
  const found = new Set(rows.map(({ hash }) => hash));
  return hashes.map((own) => own.some((hash) => found.has(hash)));
}

const FIND = "SELECT hash FROM suppression WHERE project_id = $1 AND hash = ANY ($2::text[])";
