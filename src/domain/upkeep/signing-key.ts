import { fingerprintOf, markOf } from "../../core/secret.ts";
import type { Queryable } from "../../db/pool/database.ts";

/** The fingerprint of the key that all instances sign with; the whole mark is stored, as versions before did. */
export const SIGNING_KEY = "SELECT left(value, 16) AS current FROM service_state WHERE key = 'secret_key'";

/**
 * Returns the keys with the one that signs first. On a new database that is the newest; on another one, keys
 * without the one that signs are refused, with `from`, where they are from.
 */
export async function claimKeys(
  db: Queryable,
  newestFirst: readonly string[],
  from = "SECRET_KEY",
): Promise<string[]> {
  await db.query(
    "INSERT INTO service_state (key, value) VALUES ('secret_key', $1) ON CONFLICT (key) DO NOTHING",
    newestFirst.slice(0, 1).map(markOf),
  );
  const current = (await signingKey(db)) ?? "";
  if (!newestFirst.some((key) => fingerprintOf(key) === current)) throw foreignKeys(current, from);
  const keys = [...newestFirst];
  signWith(keys, current);
  return keys;
}

/** Returns the fingerprint of the key that signs; undefined if the database has not been used with one. */
export async function signingKey(db: Queryable): Promise<string | undefined> {
  const [state] = await db.query<{ current: string }>(SIGNING_KEY);
  return state?.current;
}

/** Makes room for another key after a restore without the former one; what that one signed or sealed stays closed. */
export async function forgetKey(db: Queryable): Promise<void> {
  await db.query("DELETE FROM service_state WHERE key = 'secret_key'");
}

/** The error of a start without the key that signs; `from` says where its keys are from. */
export const foreignKeys = (current: string, from = "SECRET_KEY"): Error =>
  new Error(
    `${from} does not match this database: it lacks the key in use, whose fingerprint is ${current}. Set the newest key and the previous one: SECRET_KEY=new,previous.`,
  );

/** Puts the key with this fingerprint in front, in place: it signs and seals from now on. An unknown one changes nothing. */
export function signWith(secretKeys: string[], fingerprint: string): void {
  const at = secretKeys.findIndex((key) => fingerprintOf(key) === fingerprint);
  if (at > 0) secretKeys.unshift(...secretKeys.splice(at, 1));
}

/**
 * The key to sign with: the newest one that all instances know and none puts behind `current`. If not all know
 * `current`, the newest one that they do. `known` are the fingerprints of each instance, newest first; the
 * deciding instance is the first.
 */
export function nextSigningKey(current: string, known: readonly (readonly string[])[]): string {
  const common = (known[0] ?? []).filter((key) => known.every((keys) => keys.includes(key)));
  if (!common.includes(current)) return common[0] ?? current;
  const isAhead = (key: string) => known.every((keys) => keys.indexOf(key) <= keys.indexOf(current));
  return common.find(isAhead) ?? current;
}
