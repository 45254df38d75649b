import { bad } from "../values/bad-input.ts";
import { cellReader } from "../values/cell-readers.ts";
import { e164Of } from "../values/read-phone.ts";
import type { GivenPerson } from "./find-subject.ts";

/** Reads the identities of a request as those of leads are read; refuses (400) what is not one, and none. */
export function readPerson(
  { email, phone }: { email?: string | undefined; phone?: string | undefined },
  country: string | null,
): GivenPerson {
  if (email === undefined && phone === undefined) bad("$", "required", "must have email or phone, or both");
  return {
    email: email === undefined ? undefined : readEmail(email),
    phone: phone === undefined ? undefined : readNumber(phone, country),
  };
}

function readEmail(text: string): string {
  const reading = cellReader("email")(text.trim());
  if ("code" in reading) bad("$.email", reading.code, reading.message);
  return String(reading.value).toLowerCase();
}

function readNumber(text: string, country: string | null): string {
  const message = "is not a phone number; write it with its country code, such as +55 11 91234-5678";
  return e164Of(text.trim(), country) ?? bad("$.phone", "not_a_phone", message);
}

/** The identities as lists. */
export const listsOf = ({ email, phone }: GivenPerson): { emails: string[]; phones: string[] } => ({
  emails: email === undefined ? [] : [email],
  phones: phone === undefined ? [] : [phone],
});
