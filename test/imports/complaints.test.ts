import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf } from "../api/support/v1.ts";
import { type KeyActor, type World, world } from "../world.ts";
import { acted, type ImportBody, openQuestions, sums, uploaded } from "./support/uploading.ts";

test("common complaints about other imports do not apply", async (t) => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  await t.test("every one of 1,200 failed rows can be read, page by page and as one file", () =>
    all(the, key),
  );
  await t.test("what is reported as created is stored, row for row, with bad rows in between", () =>
    told(the, key),
  );
  await t.test("a file that is sent again after its import creates nothing twice", () => twice(the, key));
  await t.test("10,5 keeps its decimal comma, and 1.234,5 its thousands point", () => decimals(the, key));
  await t.test("an unambiguous date is read in either order", () => days(the, key));
  await t.test("characters of windows-1252 and UTF-16 are stored as written", () => letters(the, key));
});

async function all(the: World, key: KeyActor): Promise<void> {
  const rows = Array.from({ length: 1_200 }, (_, i) => `bad${i},nobody`);
  const { id, ...done } = await committed(the, key, `external_id,email\n${rows.join("\n")}\n`);
  assert.deepEqual(sums(done), [1_200, 0, 0, 0, 0, 1_200]);
  const seen: number[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: { errors: { row: number }[]; next_cursor: string | null } = await bodyOf(
      await key.send("GET", `/api/v1/imports/${id}/errors?limit=500${cursor && `&cursor=${cursor}`}`),
    );
    seen.push(...page.errors.map(({ row }) => row));
    cursor = page.next_cursor;
  }
  assert.deepEqual(
    seen,
    rows.map((_, i) => i + 2),
  );
  const file = await (await key.send("GET", `/api/v1/imports/${id}/errors.csv`)).text();
  assert.equal(file.trimEnd().split("\r\n").length, 1_201);
}

async function told(the: World, key: KeyActor): Promise<void> {
  const rows = Array.from({ length: 100 }, (_, i) => `told${i},${i % 8 === 3 ? "nobody" : `told${i}@x.org`}`);
  const done = await committed(the, key, `external_id,email\n${rows.join("\n")}\n`);
  const [stored] = await the.sql<{ n: number }>(
    "SELECT count(*)::integer AS n FROM store.lead WHERE import_id = $1",
    [done.id],
  );
  assert.deepEqual([sums(done), stored?.n], [[100, 87, 0, 0, 0, 13], 87]);
}

async function twice(the: World, key: KeyActor): Promise<void> {
  const file = "email,name\nTwice@x.org,A\nother@x.org,B\n";
  assert.deepEqual(sums(await committed(the, key, file)), [2, 2, 0, 0, 0, 0]);
  assert.deepEqual(sums(await committed(the, key, file.replace("Twice", "twice"))), [2, 0, 0, 2, 0, 0]);
}

async function decimals(the: World, key: KeyActor): Promise<void> {
  await committed(the, key, "external_id;value\ndec1;10,5\ndec2;1.234,5\n");
  assert.deepEqual(await stored(the, "value", "dec"), [10.5, 1234.5]);
}

async function days(the: World, key: KeyActor): Promise<void> {
  await committed(the, key, "external_id,first_touch\nday1,31/12/2024\n");
  await committed(the, key, "external_id,first_touch\nday2,12/31/2024\n");
  assert.deepEqual(await stored(the, "first_touch::date::text", "day"), ["2024-12-31", "2024-12-31"]);
}

async function letters(the: World, key: KeyActor): Promise<void> {
  const file = (id: string) => `external_id,name\n${id},Ação Überall\n`;
  await committed(the, key, Buffer.from(file("let1"), "latin1"));
  await committed(the, key, Buffer.from(file("let2"), "utf16le"));
  assert.deepEqual(await stored(the, "name", "let"), ["Ação Überall", "Ação Überall"]);
}

async function committed(the: World, key: KeyActor, file: string | Buffer): Promise<ImportBody> {
  const made = await uploaded(the, key, file);
  const { id } = made;
  assert.deepEqual(openQuestions(made), []);
  return await acted(key, id, "commit");
}

const stored = async (the: World, column: string, prefix: string): Promise<unknown[]> =>
  (
    await the.sql<{ value: unknown }>(
      `SELECT ${column} AS value FROM store.lead WHERE external_id LIKE $1 ORDER BY external_id`,
      [`${prefix}%`],
    )
  ).map(({ value }) => value);
