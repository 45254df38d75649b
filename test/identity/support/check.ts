import assert from "node:assert/strict";
import { addressesOf, afterwards, type Case, type State, storedAs } from "./cases.ts";
import type { AddressField } from "./rows.ts";

export interface Told {
  path: string;
  code: string;
  message: string;
}

/** What a way in answered to a record; undefined is what it does not tell. */
export interface Given {
  failed: boolean;
  code?: string | undefined;
  outcome?: string | undefined;
  id?: string | undefined;
  /** The leads that a conflict names. */
  details?: Told[] | undefined;
  /** The leads that a conflict names, where they have no paths. */
  candidates?: string[] | undefined;
  /** The headers of the columns that a failed row names. */
  columns?: string[] | undefined;
  warnings?: Told[] | undefined;
}

/** The addresses of the case's leads after the record was given. */
export function expected(one: Case, before: State): Record<string, object> {
  const { answer } = one.row;
  const state = addressesOf(before);
  if ("made" in answer) return { ...state, ...addressesOf({ new: storedAs(one.given) }) };
  if ("is" in answer) return { ...state, [answer.is]: { ...state[answer.is], ...afterwards(one) } };
  return state;
}

/** Asserts that a record was answered, and the leads were left, as the row says. */
export function checkGiven(one: Case, given: Given, before: State, after: State): void {
  assert.deepEqual(addressesOf(after), expected(one, before));
  const { answer } = one.row;
  assert.equal(given.failed, "code" in answer, `answered ${JSON.stringify(given)}`);
  if ("code" in answer) {
    checkConflict(answer, given, after);
    return;
  }
  const name = "made" in answer ? "new" : answer.is;
  if (given.id !== undefined) assert.equal(given.id, after[name]?.id, `is not ${name}`);
  if (given.outcome !== undefined) {
    const outcomes = "made" in answer ? ["created"] : ["updated", "unchanged"];
    assert.ok(outcomes.includes(given.outcome), `${given.outcome} is not ${outcomes}`);
  }
  if (given.warnings !== undefined && !("is" in answer && answer.warns === "perhaps"))
    checkWarnings("held" in answer ? answer.held : [], given.warnings, after);
}

/** Asserts that the same record again was the same: the same refusal, or the same lead, which has all already. */
export function checkAgain(one: Case, first: Given, again: Given, after: State, later: State): void {
  assert.deepEqual(addressesOf(later), addressesOf(after), "the record made or changed another lead");
  assert.equal(again.failed, first.failed, `again answered ${JSON.stringify(again)}`);
  assert.equal(again.code, first.code);
  if (first.id !== undefined && !first.failed) assert.equal(again.id, first.id);
  if (again.outcome !== undefined && !again.failed)
    assert.ok(["updated", "unchanged"].includes(again.outcome), `${again.outcome}: ${one.row.says}`);
}

function checkConflict(
  { code, leads }: { code: string; leads: Readonly<Record<string, AddressField>> },
  given: Given,
  after: State,
): void {
  if (given.code !== undefined) assert.equal(given.code, code);
  const ids = Object.keys(leads).map((name) => after[name]?.id ?? name);
  if (given.candidates !== undefined) assert.deepEqual([...given.candidates].sort(), ids.sort());
  if (given.columns !== undefined)
    for (const column of given.columns)
      assert.ok(
        Object.values(leads).some((field) => field === column),
        `the column is ${column}`,
      );
  if (given.details === undefined) return;
  const told = given.details.map((detail) => [detail.message, fieldOf(detail.path), detail.code]);
  const wanted = Object.entries(leads).map(([name, field]) => [after[name]?.id, field, "candidate"]);
  assert.deepEqual(told.sort(), wanted.sort());
}

function checkWarnings(
  held: readonly (readonly [AddressField, string])[],
  warnings: readonly Told[],
  state: State,
): void {
  const nameOf = (message: string) =>
    Object.values(state)
      .filter(({ id }) => message.includes(id))
      .map(({ name }) => name ?? "new");
  // One warning may name several holders of one value.
  const told = warnings.flatMap(({ path, code, message }) =>
    nameOf(message).map((name) => `${code} ${fieldOf(path)} ${name}`),
  );
  assert.deepEqual([...new Set(told)].sort(), held.map(([field, name]) => `held ${field} ${name}`).sort());
  assert.ok(held.length > 0 || warnings.length === 0, `warns ${JSON.stringify(warnings)}`);
}

/** The field at the end of a path such as `$.items[0].emails[1]`. */
export const fieldOf = (path: string): string => /\.([a-z_]+)(?:\[\d+\])?$/.exec(path)?.[1] ?? path;
