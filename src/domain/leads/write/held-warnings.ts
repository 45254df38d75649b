import type { Fault } from "../../../core/refusal.ts";
import type { Queryable } from "../../../db/pool/database.ts";
import { may } from "../../operation/may-sql.ts";
import type { Credential } from "../../tenancy/credential.ts";
import type { Identifier } from "../identity/identifiers.ts";
import { countedAs, type Held } from "../identity/resolve.ts";

const NOUNS: Record<Identifier["kind"], string> = {
  id: "id",
  external_id: "external id",
  email: "e-mail",
  phone: "phone",
};

export const nounOf = ({ kind }: Pick<Identifier, "kind">): string => NOUNS[kind];

/** Returns a warning for each address that other leads have, too; `path` is that of the record. */
export const heldFaults = (held: readonly Held[], path: string): Fault[] =>
  held.map(({ identifier, ids }) => ({
    path: `${path}.${identifier.field}`,
    code: "held",
    message:
      ids.length === 1
        ? `The lead ${ids[0]} has this ${nounOf(identifier)}, too.`
        : `${countedAs(ids.length)} leads have this ${nounOf(identifier)}, too: ${ids.join(", ")}.`,
  }));

/** The same for a caller who may read leads; nobody else learns who is stored. */
export async function heldWarnings(
  db: Pick<Queryable, "query">,
  caller: Credential,
  held: readonly Held[] = [],
  path = "$",
): Promise<Fault[]> {
  return held.length > 0 && (await may(db, caller, "leads:read")) ? heldFaults(held, path) : [];
}
