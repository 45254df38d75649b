import type { Transaction } from "../../db/pool/database.ts";
import type { CellReader } from "../values/cell-readers.ts";

const MEMBERS = `SELECT p.id, lower(p.email) AS email, p.name FROM membership m JOIN person p ON p.id = m.person_id
  WHERE m.project_id = $1 ORDER BY p.id`;

/** Returns the ids of a project's members by id, e-mail in lower case, and name if only one member has it. */
export async function ownersOf(
  tx: Pick<Transaction, "query">,
  projectId: string,
): Promise<ReadonlyMap<string, string>> {
  const members = await tx.query<{ id: string; email: string; name: string }>(MEMBERS, [projectId]);
  const named = Map.groupBy(members, ({ name }) => plain(name));
  const owners = new Map<string, string>();
  for (const [name, [only, ...others]] of named)
    if (only !== undefined && others.length === 0) owners.set(name, only.id);
  for (const { id, email } of members) owners.set(id, id).set(email, id);
  return owners;
}

const plain = (text: string): string => text.trim().replace(/\s+/g, " ").toLowerCase();

/** Returns the member that a cell names; undefined if there is no such member. */
export const ownerNamed = (owners: ReadonlyMap<string, string>, text: string): string | undefined =>
  owners.get(text) ?? owners.get(plain(text));

/** Returns the reader of owners, who are named by id, e-mail or name. */
export const ownerReader =
  (owners: ReadonlyMap<string, string>): CellReader =>
  (text) => {
    const value = ownerNamed(owners, text);
    return value === undefined
      ? { code: "not_a_member", message: "is not the e-mail address or name of a member of this project" }
      : { value };
  };
