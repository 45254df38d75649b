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
