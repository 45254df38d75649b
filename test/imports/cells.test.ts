import assert from "node:assert/strict";
import { test } from "node:test";
import { world } from "../world.ts";
import { countsOf, importText, leadsOf } from "./support/importing.ts";

test("a bad cell fails its row with line, column and code, and the other rows continue", async () => {
  await using the = await world();
  const file = [
    "external_id,email,name,score,status,phone,first_touch,do_not_contact",
    '1,nobody,"two\nlines",1,,,,',
    "2,a@x.org,,much,,,,",
    "3,b@x.org,,,lukewarm,,,",
    "4,c@x.org,,,,5.5E+12,,",
    "5,d@x.org,,,,,31/02/2024,",
    "6,e@x.org,,,,,2024-02-30,maybe",
    "7,f@x.org,,,,,,,extra",
    "8,g@x.org,Good,4,won,+55 11 96123-4567,2024-02-29T10:00:00-03:00,yes",
  ].join("\r\n");
  const report = await importText(the, file);
  assert.deepEqual(countsOf(report), [8, 2, 0, 0, 0, 6]);
  assert.deepEqual(
    report.failures.map(({ row, column, code }) => [row, column, code]),
    [
      [2, "email", "not_an_email"],
      [4, "score", "not_a_number"],
      [6, "phone", "scientific_notation"],
      [7, "first_touch", "not_a_datetime"],
      [8, "first_touch", "not_a_datetime"],
      [9, "", "column_count"],
    ],
  );
  const [lukewarm, lead] = await leadsOf(the);
  assert.deepEqual([lukewarm?.status, lukewarm?.lifecycle_stage], ["new", "lukewarm"]);
  assert.deepEqual(
    [lead?.status, lead?.phone_e164, lead?.do_not_contact, lead?.first_touch],
    ["won", "+5511961234567", true, new Date("2024-02-29T13:00:00Z")],
  );
});

test("text is stored verbatim: quotes, line breaks, tabs, backslashes, other scripts", async () => {
  await using the = await world();
  const name = 'Zoë "Z" O\'Neil\r\n\tC:\\new\\N 漢字 🎉 ,;';
  const tags = 'a "b",c\\d';
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
  await importText(the, `external_id,name,tags\n1,${quoted(name)},${quoted(tags)}\n`);
  const [lead] = await leadsOf(the);
  assert.deepEqual([lead?.name, lead?.tags], [name, ['a "b"', "c\\d"]]);
});

test("a national phone number is read in the project's country", async () => {
  await using the = await world();
  await the.sql("UPDATE store.project SET default_country = 'DE' WHERE project_id = $1", [the.project.id]);
  await importText(the, "external_id,phone\n1,030 901820\n2,ask the desk on 3\n");
  assert.deepEqual(
    (await leadsOf(the)).map((lead) => lead.phone_e164),
    ["+4930901820", null],
  );
});
