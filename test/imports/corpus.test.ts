import assert from "node:assert/strict";
import { test } from "node:test";
import type { Import } from "../../src/contract/imports/import.ts";
import type { Lead } from "../../src/contract/leads/lead.ts";
import { refusalOf } from "../api/support/v1.ts";
import { type KeyActor, type World, world } from "../world.ts";
import { type Case, casesIn, type Expected } from "./support/corpus.ts";
import {
  answered,
  assertWaits,
  committed,
  leadsOf,
  notesOf,
  post,
  projectKey,
  upload,
} from "./support/corpus-import.ts";
import { assertLead } from "./support/corpus-lead.ts";
import { acted } from "./support/uploading.ts";

const CASES = casesIn(new URL("corpus/", import.meta.url));

// Slow: about ninety files, each uploaded, checked, committed, imported again and undone.
test("each file of the corpus becomes what a careful person expects, twice, and is undone", {
  concurrency: 4,
}, async (t) => {
  await using the = await world();
  assert.ok(CASES.length >= 46);
  await Promise.all(
    CASES.map((each) => t.test(`${each.name}: ${each.expected.about}`, () => run(the, each))),
  );
});

async function run(the: World, { file, bytes, expected }: Case): Promise<void> {
  const { refused, before = [], againCreates = 0 } = expected;
  const key = await projectKey(the, expected.project);
  if (refused !== undefined) {
    const { status, code } = await refusalOf(await post(the, key, file, bytes));
    assert.deepEqual({ status, code }, refused);
    return;
  }
  for (const lead of before) assert.equal((await key.send("POST", "/api/v1/leads", lead)).status, 201);
  const made = await upload(the, key, file, bytes);
  assertQuestions(made);
  assertFound(made, expected);
  if ((expected.blocking ?? []).length > 0) await assertWaits(key, made);
  const first = await imported(key, made, expected);
  const { created, failed } = first;
  assert.deepEqual({ failed, ...pick(first, expected.counts ?? {}) }, { failed: 0, ...expected.counts });
  const notes = await assertStored(key, expected, before.length + created);
  const again = await imported(key, await upload(the, key, file, bytes), expected, true);
  assert.deepEqual([again.created, again.failed], [againCreates, failed], "imported again");
  if (againCreates === 0) {
    const after = await assertStored(key, expected, before.length + created);
    assert.deepEqual(after, notes, "notes are imported once");
  }
  for (const { id, created: made, updated } of [again, first])
    if (made + updated > 0) await acted(key, id, "undo");
  assert.equal((await leadsOf(key)).length, before.length, "undone");
}

/** Answers, maps and commits an uploaded file. */
async function imported(key: KeyActor, made: Import, expected: Expected, again = false): Promise<Import> {
  const ready = await answered(key, made, expected.answers ?? [], { again });
  const open = ready.questions.filter(({ blocking, answer }) => blocking && answer === null);
  assert.deepEqual(open, [], "no blocking question is left");
  if (expected.encoding !== undefined) assert.equal(ready.file.encoding, expected.encoding);
  if (expected.header_row !== undefined) assert.equal(ready.file.header_row, expected.header_row);
  if (expected.mapping !== undefined) {
    const body = { ...ready.mapping, ...expected.mapping };
    const mapped = await key.send("PUT", `/api/v1/imports/${made.id}/mapping`, body);
    assert.equal(mapped.status, 200, await mapped.text());
  }
  return await committed(key, made, { dry: !again });
}

/** Asserts that the questions of an upload are ones that a person or a program can answer. */
function assertQuestions({ questions, columns }: Import): void {
  const names = new Set(columns.map(({ name }) => name));
  assert.equal(new Set(questions.map(({ id }) => id)).size, questions.length, "ids are distinct");
  for (const question of questions) {
    const ids = question.choices.map(({ id }) => id);
    const about = JSON.stringify(question);
    assert.ok(ids.length > 1 && new Set(ids).size === ids.length, `choices: ${about}`);
    assert.ok(question.default === null || ids.includes(question.default), `default: ${about}`);
    assert.ok(
      !question.blocking || question.default === null,
      `a blocking question has no default: ${about}`,
    );
    assert.ok(question.message !== "" && question.choices.every(({ label }) => label !== ""), about);
    assert.deepEqual(
      question.columns.filter((column) => !names.has(column)),
      [],
      about,
    );
  }
}

/** Asserts what an upload found and asks. */
function assertFound(made: Import, expected: Expected): void {
  const kinds = new Set(made.questions.map(({ kind }) => kind));
  const blocking = new Set(made.questions.flatMap(({ kind, blocking: is }) => (is ? [kind] : [])));
  const about = JSON.stringify(made.questions);
  if (expected.preset !== undefined) assert.equal(made.preset?.name ?? null, expected.preset);
  assert.deepEqual(
    (expected.asks ?? []).filter((kind) => !kinds.has(kind)),
    [],
    `asks: ${about}`,
  );
  assert.deepEqual(
    (expected.asksNot ?? []).filter((kind) => kinds.has(kind)),
    [],
    `asks not: ${about}`,
  );
  assert.deepEqual(
    (expected.blocking ?? []).filter((kind) => !blocking.has(kind)),
    [],
    `blocking: ${about}`,
  );
  const asked = new Set(made.questions.flatMap(({ columns }) => columns));
  const skipped = new Set(made.skipped_columns.map(({ name }) => name));
  const lost = (expected.kept ?? []).filter((column) => skipped.has(column) && !asked.has(column));
  assert.deepEqual(lost, [], "columns that are dropped in silence");
  const names = made.columns.map(({ name }) => name);
  assert.deepEqual(
    (expected.kept ?? []).filter((column) => !names.includes(column)),
    [],
    "columns",
  );
}

/** Asserts what is stored, and returns the number of notes of each lead. */
async function assertStored(key: KeyActor, expected: Expected, total: number): Promise<Map<string, number>> {
  const leads = await leadsOf(key);
  const notes = new Map<string, string[]>();
  for (const lead of leads) notes.set(lead.id, await notesOf(key, lead));
  for (const wanted of expected.leads ?? []) assertLead(leads, wanted, expected.project.country, notes);
  for (const { lead: who, text } of expected.notes ?? []) {
    const lead = leads.find((each) => each.email === who || each.display_name === who);
    const texts = notes.get(lead?.id ?? "") ?? [];
    assert.ok(
      texts.some((each) => each.includes(text)),
      `${text} among the notes of ${who}: ${JSON.stringify(texts)}`,
    );
  }
  const out = leads.filter((lead) => lead.do_not_contact).map(nameOf);
  assert.deepEqual(out.sort(), [...(expected.optedOut ?? [])].sort(), "who opted out");
  assert.equal(leads.length, total, "the leads are those that were created");
  return new Map([...notes].map(([id, texts]) => [id, texts.length]));
}

const nameOf = ({ email, emails: [further], phone_e164: phone, display_name: name, id }: Lead): string =>
  email ?? further ?? phone ?? name ?? id;

const pick = (of: Import, counts: object): object =>
  Object.fromEntries(Object.keys(counts).map((name) => [name, of[name as keyof Import]]));
