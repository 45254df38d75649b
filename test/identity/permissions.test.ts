import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf } from "../api/support/v1.ts";
import type { KeyActor } from "../world.ts";
import { addressesOf, type Case, caseOf, prepare, type State, statesOf } from "./support/cases.ts";
import { expected } from "./support/check.ts";
import { ROWS } from "./support/rows.ts";
import { entrance, fileOf, type Item, importFile } from "./support/ways.ts";

interface Prepared {
  one: Case;
  before: State;
}

/** The table's rows with fresh values and their leads, and the key that reads them. */
async function prepared(): Promise<{ reader: KeyActor; cases: Prepared[] }> {
  const { key: reader } = await entrance();
  const cases = ROWS.map(caseOf);
  await prepare(reader, cases);
  const states = await statesOf(
    reader,
    cases.map(({ tag }) => tag),
  );
  return { reader, cases: cases.map((one) => ({ one, before: states.get(one.tag) ?? {} })) };
}

type Values = Readonly<Record<string, unknown>>;

/** What a form leaves of a lead that was there, where the rule would make `wanted` of it: it only fills, and gives no external id. */
function filledOnly(wanted: object, before: State): object {
  const known = addressesOf(before) as Readonly<Record<string, Values>>;
  const isEmpty = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);
  const filled = (own: Values | undefined, values: Values) =>
    Object.entries(values).map(([field, value]) => [
      field,
      own === undefined || (field !== "external_id" && isEmpty(own[field])) ? value : own[field],
    ]);
  return Object.fromEntries(
    Object.entries(wanted).map(([name, values]) => [name, Object.fromEntries(filled(known[name], values))]),
  );
}

/** Asserts that each record wrote what the row says, although its caller was told less; returns the leads. */
async function allWritten(reader: KeyActor, cases: readonly Prepared[], isForm = false): Promise<State[]> {
  const after = await statesOf(
    reader,
    cases.map(({ one }) => one.tag),
  );
  return cases.map(({ one, before }) => {
    const now = after.get(one.tag) ?? {};
    const wanted = expected(one, before);
    assert.deepEqual(addressesOf(now), isForm ? filledOnly(wanted, before) : wanted, one.row.says);
    if ("code" in one.row.answer) assert.deepEqual(versionsOf(now), versionsOf(before), one.row.says);
    return now;
  });
}

const versionsOf = (state: State) => Object.values(state).map(({ id, version }) => [id, version]);

/** Asserts that a text names no lead but the one that the caller has written. */
function namesNone(text: string, { one, before }: Prepared, own: string | null = null): void {
  const { answer, says } = one.row;
  const written = "is" in answer ? before[answer.is]?.id : own;
  const named = (text.match(/lead_[0-9a-z]{20,}/g) ?? []).filter((id) => id !== written);
  assert.deepEqual(named, [], `${says}: ${text}`);
}

const codeOf = ({ row: { answer } }: Case): string | null => ("code" in answer ? answer.code : null);

test("with leads:write alone, an upsert warns of nothing and a conflict names no lead", async () => {
  const { reader, cases } = await prepared();
  const writer = await (await entrance()).the.key(["leads:write"]);
  for (const each of cases) {
    const { one } = each;
    const answer = await writer.send("PUT", "/api/v1/leads/upsert", { lead: one.given });
    assert.equal(answer.headers.get("x-leadgate-warning"), null, one.row.says);
    const text = await answer.text();
    const body = JSON.parse(text) as { id?: string; error?: { code: string; details: object[] } };
    namesNone(text, each, body.id);
    assert.equal(body.error?.code ?? null, codeOf(one), one.row.says);
    if (body.error === undefined) assert.deepEqual(Object.keys(body).sort(), ["id", "version"]);
    else assert.deepEqual([answer.status, body.error.details], [409, []], one.row.says);
  }
  await allWritten(reader, cases);
});

test("with leads:write alone, items of a bulk upsert warn of nothing and their conflicts name no lead", async () => {
  const { reader, cases } = await prepared();
  const writer = await (await entrance()).the.key(["leads:write"]);
  const items = cases.map(({ one }) => one.given);
  const { results } = await bodyOf<{ results: Item[] }>(
    await writer.send("POST", "/api/v1/leads/bulk", { op: "upsert", items }),
  );
  for (const [i, each] of cases.entries()) {
    const { id = null, error = null, warnings } = results[i] ?? {};
    namesNone(JSON.stringify(results[i]), each, id);
    const said = [error?.code ?? null, error?.details ?? [], warnings];
    assert.deepEqual(said, [codeOf(each.one), [], []], each.one.row.says);
  }
  await allWritten(reader, cases);
});

test("with leads:write alone, the failed rows of the own file name no lead", async () => {
  const { reader, cases } = await prepared();
  const { the } = await entrance();
  const writer = await the.key(["leads:write"]);
  const { failures } = await importFile(the, writer, fileOf(cases.map(({ one }) => one.given)));
  for (const [i, each] of cases.entries()) {
    const faults = failures.get(i + 2) ?? [];
    namesNone(JSON.stringify(faults), each);
    assert.equal(faults[0]?.code ?? null, codeOf(each.one), each.one.row.says);
  }
  await allWritten(reader, cases);
});

/** Everything of an answer that may differ with what is stored. */
async function heard(answer: Response): Promise<string> {
  const own = ["date", "x-request-id", "ratelimit", "connection", "keep-alive"];
  const headers = [...answer.headers].filter(([name]) => !own.includes(name));
  return JSON.stringify([answer.status, headers, await answer.text()]);
}

interface Conflict {
  lead_id: string;
  data: object;
}

/** Returns the events of conflicts on the timelines of a case's leads. */
async function conflictsOf(reader: KeyActor, state: State): Promise<Conflict[]> {
  const conflicts: Conflict[] = [];
  for (const { id } of Object.values(state)) {
    const path = `/api/v1/leads/${id}/events?types=submission.conflicted`;
    const { events } = await bodyOf<{ events: { data: object }[] }>(await reader.send("GET", path));
    conflicts.push(...events.map(({ data }) => ({ lead_id: id, data })));
  }
  return conflicts;
}

/** Returns the leads that a lead's duplicates list because of a conflict. */
async function conflictingWith(reader: KeyActor, id: string): Promise<string[]> {
  const { duplicates } = await bodyOf<{
    duplicates: { lead: { id: string }; reasons: { code: string }[] }[];
  }>(await reader.send("GET", `/api/v1/leads/${id}/duplicates`));
  const isOf = ({ reasons }: { reasons: { code: string }[] }) =>
    reasons.some(({ code }) => code === "conflict");
  return duplicates.filter(isOf).map(({ lead }) => lead.id);
}

test("with leads:create, every record gets one empty answer, and a conflict is kept on the timeline of the lead of its strongest address", async () => {
  const { reader, cases } = await prepared();
  const { the } = await entrance();
  const form = await the.key(["leads:create"]);
  const answers = new Set<string>();
  for (const { one } of cases)
    answers.add(await heard(await form.send("PUT", "/api/v1/leads/upsert", { lead: one.given })));
  assert.equal(answers.size, 1, [...answers].join("\n"));
  assert.match([...answers][0] ?? "", /^\[202,/);
  const states = await allWritten(reader, cases, true);
  for (const [i, { one }] of cases.entries()) {
    const { answer, says } = one.row;
    const state = states[i] ?? {};
    const conflicts = await conflictsOf(reader, state);
    if (!("code" in answer)) {
      assert.deepEqual(conflicts, [], says);
      continue;
    }
    const ids = Object.keys(answer.leads).map((name) => state[name]?.id ?? name);
    assert.equal(conflicts.length, 1, says);
    const [{ lead_id: holder, data } = { lead_id: "", data: {} }] = conflicts;
    // Of several leads that have the strongest address, any may keep it.
    assert.ok(answer.code === "ambiguous" ? ids.includes(holder) : holder === ids[0], says);
    for (const value of Object.values(one.given).flat())
      assert.ok(JSON.stringify(data).includes(value), `${says}: ${JSON.stringify(data)} lacks ${value}`);
    const others = ids.filter((id) => id !== holder);
    assert.deepEqual((await conflictingWith(reader, holder)).sort(), others.sort(), says);
  }
});

test("with leads:create, a record that comes again gets the same answer and makes no other lead", async () => {
  const { reader, cases } = await prepared();
  const form = await (await entrance()).the.key(["leads:create"]);
  const answers = new Set<string>();
  for (const { one } of [...cases, ...cases])
    answers.add(await heard(await form.send("PUT", "/api/v1/leads/upsert", { lead: one.given })));
  assert.equal(answers.size, 1, [...answers].join("\n"));
  await allWritten(reader, cases, true);
});
