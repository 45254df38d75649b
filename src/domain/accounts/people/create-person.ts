import { newId } from "../../../core/id.ts";
import { Refusal } from "../../../core/refusal.ts";
import type { Queryable } from "../../../db/pool/database.ts";
import type { Person } from "./account.ts";
import { hashPassword } from "./password.ts";

/** The data of a new person. */
export interface NewPerson {
  email: string;
  name: string;
  password: string;
  /** Whether the person proved that the e-mail is theirs, or the operator answers for it. */
  verified: boolean;
}

/** A new person whose data is checked and whose password is hashed. */
export interface CheckedPerson extends Omit<NewPerson, "password"> {
  passwordHash: string;
}

/** Creates a person; see `checkPerson` and `insertPerson`. */
export async function createPerson(db: Queryable, fresh: NewPerson): Promise<Person> {
  return await insertPerson(db, await checkPerson(fresh));
}

/** Refuses a bad e-mail, an empty name and a weak password. Hashing takes long, so it comes before any lock. */
export async function checkPerson({ password, ...fresh }: NewPerson): Promise<CheckedPerson> {
  const email = checkEmail(fresh.email);
  const name = checkName(fresh.name);
  return { ...fresh, email, name, passwordHash: await hashPassword(password, { email, name }) };
}

/** Inserts a person; refuses an e-mail that is taken. The first person of an instance owns it. */
export async function insertPerson(
  db: Queryable,
  { email, name, passwordHash, verified }: CheckedPerson,
): Promise<Person> {
  const id = newId("per");
  // Citus inserts nothing if the constant false lets PostgreSQL drop the subquery, as in "false AND NOT EXISTS (…)".
  const [created] = await db.query<{ ownsInstance: boolean }>(
    `INSERT INTO person (id, email, name, password_hash, verified_at, owns_instance)
      SELECT $1, $2, $3, $4, CASE WHEN $5::boolean THEN moment() END, coalesce((SELECT false FROM person LIMIT 1), $5::boolean)
      ON CONFLICT (lower(email)) DO NOTHING RETURNING owns_instance AS "ownsInstance"`,
    [id, email, name, passwordHash, verified],
  );
  if (created === undefined)
    throw new Refusal("conflict", "email_taken", `An account with the e-mail ${email} already exists.`);
  return { id, email, name, locale: null, verified, singleKeys: true, ...created };
}

/**
 * Returns the e-mail address in the form that is stored; refuses an invalid one (`bad_email`). Capital letters outside
 * of ASCII are refused: some of them, such as the Kelvin sign, would count as another address's ASCII letter.
 */
export function checkEmail(text: string): string {
  const email = text.trim();
  const foreign = email.replace(/\p{ASCII}/gu, "");
  const isPlain = foreign === foreign.toLowerCase();
  if (isPlain && /^[^\s@\0]+@[^\s@\0]+$/.test(email) && email.length <= 254) return email;
  throw new Refusal("malformed", "bad_email", `"${text}" is not an e-mail address.`);
}

/** Returns the name in the form that is stored; refuses an empty one or one over 200 characters (`bad_name`). */
export function checkName(text: string): string {
  const name = text.trim();
  if (name !== "" && name.length <= 200) return name;
  throw new Refusal("malformed", "bad_name", "Enter a name of 1 to 200 characters.");
}

/** The person with this e-mail address (case-insensitive). */
export async function findPerson(db: Queryable, email: string): Promise<Person | undefined> {
  const rows = await db.query<Person>(
    `SELECT id, email, name, locale, verified_at IS NOT NULL AS verified, owns_instance AS "ownsInstance"
      FROM person WHERE lower(email) = lower($1)`,
    [email.trim()],
  );
  return rows[0];
}
