import type { Locale } from "../../../core/locale.ts";
import type { Queryable } from "../../../db/pool/database.ts";

/** A user who signs in. */
export interface Person {
  id: string;
  email: string;
  name: string;
  /** The chosen language; null follows the browser. */
  locale: Locale | null;
  /** Whether the e-mail is known to be theirs: a mail to it was opened, or the operator made the account. */
  verified: boolean;
  /** Whether the panel has shortcuts of a single key. */
  singleKeys: boolean;
  /** Whether the person sees the state of the whole instance, such as its backups. */
  ownsInstance: boolean;
}

/** A person with the fields that sign-in needs. */
export interface Account extends Person {
  passwordHash: string;
  /** The sealed secret of the authenticator app; null without a second factor. */
  totp: string | null;
}

const COLUMNS = `p.id, p.email, p.name, p.locale, p.verified_at IS NOT NULL AS verified,
  p.owns_instance AS "ownsInstance",
  p.password_hash AS "passwordHash", p.totp_sealed AS totp`;

/** The account with this e-mail (case-insensitive), and the normalized e-mail that attempts are counted under. */
export async function accountByEmail(
  db: Queryable,
  email: string,
): Promise<{ spelling: string; account: Account | undefined }> {
  const [row] = await db.query<Account & { spelling: string }>(
    `SELECT lower($1::text) AS spelling, ${COLUMNS} FROM (SELECT) AS one LEFT JOIN person p ON lower(p.email) = lower($1::text)`,
    [email.trim()],
  );
  const { spelling = "", ...account } = row ?? {};
  return { spelling, account: isAccount(account) ? account : undefined };
}

/** The account of a person. */
export async function accountOf(db: Queryable, personId: string): Promise<Account | undefined> {
  const rows = await db.query<Account>(`SELECT ${COLUMNS} FROM person p WHERE id = $1`, [personId]);
  return rows[0];
}

/** For an unknown e-mail, the outer join returns a row of nulls. */
const isAccount = (row: Partial<Account>): row is Account => typeof row.id === "string";
