import type { ErasedPerson } from "../../contract/people.ts";
import { newId } from "../../core/id.ts";
import { macOf } from "../../core/secret.ts";
import type { Queryable } from "../../db/pool/database.ts";
import type { MemberContext } from "../operation/operation.ts";
import type { GivenPerson } from "./find-subject.ts";

const PURPOSE = "erased person";

/** Returns a new certificate's id and what recognizes the person's identities later without storing them. */
export function newCertificate(
  { service, caller }: Pick<MemberContext, "service" | "caller">,
  given: GivenPerson,
): { certificate: string; marks: string[] } {
  const [key = ""] = service.config.secretKeys;
  return { certificate: newId("cert"), marks: marksOf(key, caller.projectId, given) };
}

const EARLIER = `SELECT data ->> 'certificate' AS id, to_json(at) #>> '{}' AS erased_at FROM audit
  WHERE project_id = $1 AND action = 'person.erased' AND data -> 'marks' ?| $2::text[] ORDER BY at, audit.id`;

/** Earlier erasures of the same address or number. Marks are made with a secret key, and any that is known finds them. */
export async function certificatesOf(
  { service, caller }: Pick<MemberContext, "service" | "caller">,
  db: Pick<Queryable, "query">,
  given: GivenPerson,
): Promise<ErasedPerson["earlier"]> {
  const marks = service.config.secretKeys.flatMap((key) => marksOf(key, caller.projectId, given));
  return await db.query<ErasedPerson["earlier"][number]>(EARLIER, [caller.projectId, marks]);
}

function marksOf(key: string, projectId: string, { email, phone }: GivenPerson): string[] {
  const mark = (kind: string, value: string) => macOf(key, PURPOSE, `${projectId} ${kind} ${value}`);
  return [
    ...(email === undefined ? [] : [mark("email", email)]),
    ...(phone === undefined ? [] : [mark("phone", phone)]),
  ];
}
