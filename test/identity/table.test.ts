import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf } from "../api/support/v1.ts";
import { acted, sums, uploaded } from "../imports/support/uploading.ts";
import { addressesOf, caseOf, madeState, prepare, statesOf } from "./support/cases.ts";
import { checkAgain, checkGiven, type Given } from "./support/check.ts";
import { ROWS } from "./support/rows.ts";
import { EVENTS, entrance, fileOf, type Item, importFile, upsert, WAYS, type Way } from "./support/ways.ts";

/** Runs the check of each row and fails with all rows that fail. */
function everyRow<T extends { row: { says: string } }>(
  cases: readonly T[],
  check: (one: T, i: number) => void,
) {
  const failures = cases.flatMap((one, i) => {
    try {
      check(one, i);
      return [];
    } catch (error) {
      return [`${one.row.says}:\n${(error as Error).message}`];
    }
  });
  assert.equal(failures.length, 0, `${failures.length} of ${cases.length}\n${failures.join("\n\n")}`);
}

const fallback: Given = { failed: true };

async function checkWay(way: Way): Promise<void> {
  const open = await entrance();
  const cases = ROWS.filter((row) => way.takes(row)).map(caseOf);
  const tags = cases.map(({ tag }) => tag);
  if (!way.makes) await prepare(open.key, cases);
  const before = await statesOf(open.key, tags);
  const first = await way.give(open, cases);
  const after = await statesOf(open.key, tags);
  const again = await way.give(open, cases);
  const later = await statesOf(open.key, tags);
  everyRow(cases, (one, i) => {
    const [given, repeated] = [first[i] ?? fallback, again[i] ?? fallback];
    const [now, last] = [after.get(one.tag) ?? {}, later.get(one.tag) ?? {}];
    checkGiven(one, given, way.makes ? madeState(one) : (before.get(one.tag) ?? {}), now);
    checkAgain(one, given, repeated, now, last);
  });
}

for (const [name, way] of Object.entries(WAYS))
  test(`${name} answers each row of the table, and the same record again changes nothing`, () =>
    checkWay(way));

test("an event finds the lead that an upsert of its reference would find", async () => {
  const open = await entrance();
  const cases = ROWS.filter((row) => EVENTS.takes(row)).map(caseOf);
  const tags = cases.map(({ tag }) => tag);
  await prepare(open.key, cases);
  const before = await statesOf(open.key, tags);
  const given = await EVENTS.give(open, cases);
  const after = await statesOf(open.key, tags);
  everyRow(cases, ({ row: { answer }, tag }, i) => {
    assert.deepEqual(addressesOf(after.get(tag) ?? {}), addressesOf(before.get(tag) ?? {}));
    const { id, code, candidates = [] } = given[i] ?? fallback;
    const idOf = (name: string) => before.get(tag)?.[name]?.id;
    if ("made" in answer) assert.equal(code, "not_found");
    else if ("is" in answer) assert.deepEqual([code, id], [undefined, idOf(answer.is)]);
    else
      assert.deepEqual([code, candidates.sort()], [answer.code, Object.keys(answer.leads).map(idOf).sort()]);
  });
});

test("an address is the same however it is spelled: e-mails in any case, phones by the project's country", async () => {
  const { the, key } = await entrance();
  await the.sql("UPDATE store.project SET default_country = 'BR' WHERE project_id = $1", [the.project.id]);
  const lead = {
    ...{ email: "spelled@example.org", emails: ["Other@example.org"] },
    ...{ phone: "(11) 98765-4321", phones: ["(11) 98765-0000"] },
  };
  const { id } = await upsert(key, lead);
  for (const given of [
    { email: "SPELLED@Example.org" },
    { email: "OTHER@example.ORG" },
    { phone: "+55 11 98765-4321" },
    { phone: "+5511987650000" },
    { phone: "11 98765 0000" },
  ]) {
    const found = await upsert(key, given);
    assert.deepEqual([found.id, found.failed], [id, false], JSON.stringify(given));
  }
  for (const reference of [{ email: "OTHER@example.ORG" }, { phone: "11 98765 0000" }]) {
    const events = [{ type: "call.made", lead: reference }];
    const { results } = await bodyOf<{ results: { lead_id: string }[] }>(
      await key.send("POST", "/api/v1/events/batch", { events }),
    );
    assert.equal(results[0]?.lead_id, id, JSON.stringify(reference));
  }
});

test("the dry run of a file and of a bulk upsert announces what is then written", async () => {
  const { the, key } = await entrance();
  const records = () =>
    ROWS.filter((row) => row.merged === undefined && row.deleted === undefined)
      .map(caseOf)
      .flatMap(({ leads, given }) => [...leads, given]);
  const { id } = await uploaded(the, key, fileOf(records()));
  const failures = async () =>
    (await bodyOf<{ errors: object[] }>(await key.send("GET", `/api/v1/imports/${id}/errors?limit=200`)))
      .errors;
  const { dry_run } = await acted(key, id, "dry-run");
  const announced = [sums(dry_run ?? {}), await failures()];
  const done = await acted(key, id, "commit");
  assert.deepEqual([sums(done), (await failures()).length], [announced[0], (announced[1] ?? []).length]);
  const items = records();
  const bulk = async (dry: boolean) => {
    const body = { op: "upsert", items, dry_run: dry };
    const { results } = await bodyOf<{ results: Item[] }>(await key.send("POST", "/api/v1/leads/bulk", body));
    return results.map(({ status, error, warnings }) => [
      status,
      error?.code,
      warnings?.map(({ path }) => path),
    ]);
  };
  assert.deepEqual(await bulk(true), await bulk(false));
  const conflicts = ROWS.filter(({ answer, merged }) => "code" in answer && merged === undefined);
  assert.equal(done.failed, conflicts.length);
});

test("a row of a file that is a conflict is corrected and uploaded again", async () => {
  const { the, key } = await entrance();
  const [a, b] = [
    { email: "a@corrected.example.org", phone: "+5511955550001" },
    { email: "b@corrected.example.org", phone: "+5511955550002" },
  ];
  for (const lead of [a, b]) await upsert(key, lead);
  const rows = [
    { email: a.email, phone: b.phone, city: "Natal" },
    { email: b.email, phone: b.phone, city: "Recife" },
  ];
  const columns = ["email", "phone", "city"];
  const { id, failures } = await importFile(the, key, fileOf(rows, columns));
  assert.deepEqual([...failures.keys()], [2]);
  assert.equal(failures.get(2)?.[0]?.code, "identity_conflict");
  const back = await (await key.send("GET", `/api/v1/imports/${id}/errors.csv`)).text();
  assert.ok(back.includes(b.phone), back);
  const again = await importFile(the, key, back.replace(b.phone, a.phone));
  assert.deepEqual([...again.failures.keys()], []);
  const { id: found } = await upsert(key, a);
  const lead = await bodyOf<{ city: string; phone: string }>(await key.send("GET", `/api/v1/leads/${found}`));
  assert.deepEqual([lead.city, lead.phone], ["Natal", a.phone]);
});
