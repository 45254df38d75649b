import { Refusal } from "../../core/refusal.ts";
import type { Service } from "../service.ts";
import { isPassword } from "./password.ts";
import type { Person } from "./person.ts";
import { startSession } from "./session.ts";

/** Signs a person in: a new session each time. An unknown e-mail answers like a wrong password, in the same time. */
export async function signIn(
  service: Service,
  input: { email: string; password: string; address?: string },
): Promise<{ token: string; person: Person }> {
  const rows = await service.db.query<Person & { hash: string }>(
    "SELECT id, email, name, password_hash AS hash FROM person WHERE lower(email) = lower($1)",
    [input.email.trim()],
  );
  const found = rows[0];
  if (!(await isPassword(found?.hash, input.password)) || found === undefined) {
    throw new Refusal("unauthenticated", "wrong_credentials", "This e-mail and password do not go together.");
  }
  const token = await startSession(service.db, found.id, service.config.lifetimes.session);
  return { token, person: { id: found.id, email: found.email, name: found.name } };
}
