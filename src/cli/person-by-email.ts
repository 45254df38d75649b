import { Refusal } from "../core/refusal.ts";
import type { Queryable } from "../db/pool/database.ts";
import type { Person } from "../domain/accounts/people/account.ts";
import { findPerson } from "../domain/accounts/people/create-person.ts";

/** The person with an e-mail address; the refusal explains how to create one. */
export async function personByEmail(db: Queryable, email: string): Promise<Person> {
  const person = await findPerson(db, email);
  if (person !== undefined) return person;
  throw new Refusal(
    "not_found",
    "no_person",
    `There is no account with the e-mail ${email}. Create one with "person create".`,
  );
}

/** The same for giving rights; refuses an account whose owner has not proved that the address is theirs. */
export async function verifiedPersonByEmail(db: Queryable, email: string): Promise<Person> {
  const person = await personByEmail(db, email);
  if (!person.verified) throw unverified(person);
  return person;
}

/** The refusal for an unverified account, which anybody with an invitation's link may have made. */
export const unverified = ({ email }: Person): Refusal =>
  new Refusal(
    "conflict",
    "unverified",
    `There is an account with the e-mail ${email}, but nobody has proved that the address is theirs. Run ` +
      `"person reset-password --email ${email}" and hand the link to the owner of the address: setting a password with ` +
      "it makes the account theirs and ends every earlier sign-in.",
  );
