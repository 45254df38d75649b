import assert from "node:assert/strict";
import { bodyOf } from "../../api/support/v1.ts";
import type { KeyActor } from "../../world.ts";
import type { Addresses, Row } from "./rows.ts";

/** A row of the table with values that no other case has. */
export interface Case {
  row: Row;
  /** The source of its leads and of its record. */
  tag: string;
  /** The record that is given. */
  given: Addresses & { source: string };
  /** The project's leads, whose names are the letters of the row. */
  leads: readonly (Addresses & { name: string; source: string })[];
}

/** The addresses of a lead that is stored. */
export interface Stored {
  id: string;
  version: number;
  name: string | null;
  external_id: string | null;
  email: string | null;
  phone: string | null;
  emails: string[];
  phones: string[];
}

/** What a case's leads are, by name; a lead that the record made has the name `new`. */
export type State = Record<string, Stored>;

let cases = 0;

/** Returns the row with fresh values. */
export function caseOf(row: Row): Case {
  cases += 1;
  const tag = `case-${cases}`;
  const values = valuesOf(tag, cases);
  const leads = Object.entries(row.leads).map(([name, lead]) => ({ ...values(lead), name, source: tag }));
  return { row, tag, given: { ...values(row.given), source: tag }, leads };
}

/** Returns a function that replaces letters by values of a case. */
function valuesOf(tag: string, number: number): (addresses: Addresses) => Addresses {
  const letters: string[] = [];
  const phone = (letter: string): string => {
    if (!letters.includes(letter)) letters.push(letter);
    return `+55119${10_000_000 + number * 20 + letters.indexOf(letter)}`;
  };
  const email = (letter: string): string => `${letter}@${tag}.example.org`;
  return ({ external_id, email: main, phone: number_, emails, phones }) => ({
    ...(external_id === undefined ? {} : { external_id: `${external_id}-${tag}` }),
    ...(main === undefined ? {} : { email: email(main) }),
    ...(number_ === undefined ? {} : { phone: phone(number_) }),
    ...(emails === undefined ? {} : { emails: emails.map(email) }),
    ...(phones === undefined ? {} : { phones: phones.map(phone) }),
  });
}

/** Returns the values of the record that its lead has afterwards. */
export function afterwards({ row, given }: Case): Addresses {
  if (!("is" in row.answer)) return {};
  const has = Object.keys(row.answer.has ?? {}) as (keyof Addresses)[];
  return Object.fromEntries(has.map((field) => [field, given[field]]));
}

/** Creates the leads of the cases, merges those that were merged and deletes those that were deleted. */
export async function prepare(key: KeyActor, all: readonly Case[]): Promise<void> {
  const items = all.flatMap(({ leads }) => leads);
  const { results } = await bodyOf<{ results: { id: string; status: number }[] }>(
    await key.send("POST", "/api/v1/leads/bulk", { op: "create", items }),
  );
  assert.deepEqual([...new Set(results.map(({ status }) => status))], [201]);
  for (const { row, tag } of all) {
    const idOf = (letter = "") =>
      results[items.findIndex(({ source, name }) => source === tag && name === letter)]?.id;
    for (const [loser, winner] of Object.entries(row.merged ?? {}))
      await bodyOf(
        await key.send("POST", `/api/v1/leads/${idOf(winner)}/merge`, { with: idOf(loser), prefer: "this" }),
      );
    for (const letter of row.deleted ?? [])
      assert.equal((await key.send("DELETE", `/api/v1/leads/${idOf(letter)}`)).status, 204);
  }
}

/** Returns the leads of the cases as they are now, by tag. */
export async function statesOf(key: KeyActor, tags: readonly string[]): Promise<Map<string, State>> {
  const filter = { field: "source", op: "in", value: tags };
  const { leads } = await bodyOf<{ leads: (Stored & { source: string })[] }>(
    await key.send("POST", "/api/v1/leads/search", { filter, limit: 500 }),
  );
  return new Map(
    tags.map((tag) => {
      const own = leads.filter(({ source }) => source === tag);
      const names = own.map(({ name }) => name ?? "new");
      assert.deepEqual(names.sort(), [...new Set(names)].sort(), `leads of ${tag}`);
      return [tag, Object.fromEntries(own.map((lead) => [lead.name ?? "new", lead]))];
    }),
  );
}

/** The leads of a case as they were made, for a way that makes them itself; their ids are known afterwards. */
export function madeState({ leads }: Case): State {
  return Object.fromEntries(leads.map((lead) => [lead.name, storedAs(lead)]));
}

export const storedAs = ({ name = null, ...addresses }: Addresses & { name?: string | null }): Stored => ({
  ...{ id: "", version: 0, external_id: null, email: null, phone: null },
  ...{ emails: [], phones: [] },
  ...structuredClone({ ...addresses, emails: [...(addresses.emails ?? [])] }),
  phones: [...(addresses.phones ?? [])],
  name,
});

/** The addresses of each lead, without ids and versions. */
export const addressesOf = (state: State): Record<string, Addresses> =>
  Object.fromEntries(
    Object.entries(state).map(([name, { external_id, email, phone, emails, phones }]) => [
      name,
      { external_id, email, phone, emails: [...emails].sort(), phones: [...phones].sort() } as Addresses,
    ]),
  );
