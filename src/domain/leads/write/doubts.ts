import type { Fault } from "../../../core/refusal.ts";
import type { Queryable } from "../../../db/pool/database.ts";
import { may } from "../../operation/may-sql.ts";
import type { Credential } from "../../tenancy/credential.ts";
import type { Identifier } from "../identity/identifiers.ts";
import { countedAs, type Held } from "../identity/resolve.ts";
import type { Written } from "./write-outcome.ts";

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

type Doubtful = Pick<Written, "held" | "keptOptOut">;

/** Whether there is something to warn of. */
export const isDoubtful = ({ held = [], keptOptOut }: Doubtful): boolean =>
  held.length > 0 || keptOptOut === true;

/** Returns the warnings about a lead that was written; `path` is that of its record. */
export const doubtsOf = ({ held = [], keptOptOut }: Doubtful, path: string): Fault[] => [
  ...heldFaults(held, path),
  ...(keptOptOut === true ? [{ path: `${path}.do_not_contact`, code: "opt_out_kept", message: KEPT }] : []),
];

const KEPT =
  "This person has opted out: do_not_contact is true. Only a change of this one lead, or clear_opt_out: true where a call takes it, clears it.";

/** The same for a caller who may read leads; nobody else learns who is stored. */
export async function doubtsTold(
  db: Pick<Queryable, "query">,
  caller: Credential,
  written: Doubtful | undefined,
  path: string,
): Promise<Fault[]> {
  return written !== undefined && isDoubtful(written) && (await may(db, caller, "leads:read"))
    ? doubtsOf(written, path)
    : [];
}
