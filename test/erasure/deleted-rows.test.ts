import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { sweepDatasets } from "../../src/domain/datasets/sweep-datasets.ts";
import { bodyOf } from "../api/support/v1.ts";
import { leadOf } from "../api/support/writing.ts";
import { found, make, written } from "../datasets/support/dataset.ts";
import { lockWaits } from "../lock-waits.ts";
import { type KeyActor, type World, world } from "../world.ts";
import { erasePerson, eraser, tablesWith, unzipped } from "./support/erasing.ts";

const RITA = { email: "rita@deleted.example", phone: "+5511555500177", external_id: "4711" };
const BO = { email: "bo@deleted.example", phone: "+5511555500188", external_id: "4712" };
const SECRET = "Quartz";

/** The ways in which rows link to leads, with a type of the column. */
const LINKS = [
  ["email", "email"],
  ["phone", "phone"],
  ["external_id", "text"],
  ["external_id", "integer"],
  ["lead_id", "text"],
] as const;

const made = async (key: KeyActor, lead: object) =>
  (await leadOf(await key.send("POST", "/api/v1/leads", lead), 201)).id;

const deleted = async (key: KeyActor, name: string, ids: readonly (string | undefined)[]) => {
  const answer = await key.send("DELETE", `/api/datasets/${name}/rows/`, { ids });
  await bodyOf(answer);
  return String(answer.headers.get("X-Leadgate-Change"));
};

const erasedLead = async (key: KeyActor, id: string) =>
  assert.equal((await key.send("DELETE", `/api/v1/leads/${id}?erase=true`)).status, 204);

const keptItems = async (the: World) =>
  (
    await the.sql<{ record_id: string }>(
      "SELECT DISTINCT record_id FROM store.change_item WHERE kind = 'row' ORDER BY record_id",
    )
  ).map((each) => each.record_id);

/** Waits until an erasure waits for a lead: it has searched files and changes then. */
async function untilLeadIsWanted(the: World): Promise<void> {
  while ((await lockWaits(the, "%FOR UPDATE%")) === 0) await sleep(10);
}

for (const by of ["lead", "person"])
  for (const [match, type] of LINKS)
    test(`rows that link to a person by ${match} in a column of type ${type} and were deleted, or linked elsewhere, before it was erased by ${by} are in no change, and no undo restores them`, async () => {
      await using the = await world({ alone: true });
      const key = await eraser(the);
      const rita = await made(key, { name: "Rita", ...RITA });
      const bo = await made(key, { name: "Bo", ...BO });
      const who = (lead: typeof RITA, id: string) => {
        const link = match === "lead_id" ? id : lead[match];
        return type === "integer" ? Number(link) : link;
      };
      const [hers, his] = [who(RITA, rita), who(BO, bo)];
      const columns = [
        { key: "who", type },
        { key: "note", type: "text" },
      ];
      await make(key, { key: "notes", columns, lead_link: { column: "who", match } });
      await make(key, { key: "firms", columns, lead_link: { column: "who", match, personal: false } });
      const spelled = match === "email" ? "Rita@Deleted.EXAMPLE" : hers;
      const { results } = await written(
        key,
        [
          { who: spelled, note: SECRET },
          { who: hers, note: `${SECRET} moved` },
          { who: his, note: "Marble" },
          { who: hers, note: `${SECRET} alive` },
        ],
        "insert",
        "notes",
      );
      const [gone, moved, other] = results.map(({ id }) => id);
      await written(key, [{ _id: gone, note: `${SECRET} again` }], "update", "notes");
      await written(key, [{ _id: moved, who: his, note: "Granite" }], "update", "notes");
      const change = await deleted(key, "notes", [gone, other]);
      const firm = await written(key, [{ who: his, note: "Firm" }], "insert", "firms");
      await deleted(key, "firms", [firm.results[0]?.id]);
      assert.ok((await tablesWith(the, `${SECRET} again`)).includes("store.change_item"));

      const archive = await unzipped(await key.send("POST", "/api/v1/people/export", { email: RITA.email }));
      const shown = archive["dataset-changes.json"] ?? "";
      for (const mark of [`${SECRET} again`, `${SECRET} moved`, "Granite"])
        assert.match(shown, new RegExp(mark));
      assert.doesNotMatch(shown, /Marble|Firm/);

      if (by === "lead") await erasedLead(key, rita);
      else await erasePerson(key, { email: RITA.email, expected_leads: 1 });
      assert.deepEqual(await tablesWith(the, SECRET), []);
      assert.deepEqual(await keptItems(the), [other, firm.results[0]?.id].sort());
      await bodyOf(await key.send("POST", `/api/v1/changes/${change}/undo`, {}));
      const rows = (await found(key, {}, "notes")).rows.map(({ note }) => note);
      assert.deepEqual(rows.sort(), ["Granite", "Marble"]);
    });

/** Whom a row is about, and what is to be forgotten. */
const NOTES = [
  { key: "who", type: "text" },
  { key: "note", type: "text" },
];

test("deleted rows that link to an identity which a lead that is left has stay in changes", async () => {
  await using the = await world({ alone: true });
  const key = await eraser(the);
  const shared = "shared@deleted.example";
  const rita = await made(key, { name: "Rita", email: RITA.email, emails: [shared] });
  await made(key, { name: "Bo", email: shared });
  const columns = [{ key: "who", type: "email" }];
  await make(key, { key: "notes", columns, lead_link: { column: "who", match: "email" } });
  const { results } = await written(key, [{ who: RITA.email }, { who: shared }], "insert", "notes");
  const [own, both] = results.map(({ id }) => id);
  await deleted(key, "notes", [own, both]);
  await erasedLead(key, rita);
  assert.deepEqual(await keptItems(the), [both]);
});

test("rows of a dataset that is gone are erased from changes by external ids and ids of leads, too", async () => {
  await using the = await world({ alone: true });
  const key = await eraser(the);
  const rita = await made(key, { name: "Rita", ...RITA });
  const bo = await made(key, { name: "Bo", ...BO });
  const columns = [
    { key: "note", type: "text" },
    { key: "who", type: "text" },
  ];
  const left: (string | undefined)[] = [];
  for (const [match, hers, his] of [
    ["external_id", RITA.external_id, BO.external_id],
    ["lead_id", rita, bo],
  ] as const) {
    await make(key, { key: match, columns, lead_link: { column: "who", match } });
    const rows = [
      { who: hers, note: SECRET },
      { who: his, note: "Marble" },
    ];
    left.push((await written(key, rows, "insert", match)).results[1]?.id);
    assert.equal((await key.send("DELETE", `/api/v1/datasets/${match}`)).status, 204);
  }
  await sweepDatasets(the.service);
  assert.deepEqual(await the.sql("SELECT FROM store.dataset"), []);
  assert.deepEqual(await tablesWith(the, SECRET), ["store.change_item"]);
  await erasedLead(key, rita);
  assert.deepEqual(await tablesWith(the, SECRET), []);
  assert.deepEqual(await keptItems(the), left.sort());
});

test("rows that are written or committed between the search of changes and the locks are erased from changes, too", async () => {
  await using the = await world({ alone: true });
  const key = await eraser(the);
  const rita = await made(key, { name: "Rita", ...RITA });
  const { id: dataset } = await make(key, {
    ...{ key: "notes", columns: NOTES },
    lead_link: { column: "who", match: "external_id" },
  });
  const held = await the.service.db.pool.connect();
  await held.query("BEGIN");
  await held.query("SELECT FROM store.lead WHERE project_id = $1 AND id = $2 FOR UPDATE", [
    the.project.id,
    rita,
  ]);
  const record = async (query: (text: string, values: unknown[]) => Promise<unknown>, n: number) => {
    await query(
      "INSERT INTO store.change (project_id, id, kind, surface, actor) VALUES ($1, $2, 'rows.write', 'api', '{}')",
      [the.project.id, `chg_${n}`],
    );
    await query(
      `INSERT INTO store.change_item (project_id, change_id, id, kind, record_id, dataset_id, before)
       VALUES ($1, $2, 'evt_1', 'row', $2, $3, $4)`,
      [the.project.id, `chg_${n}`, dataset, { c1: n === 2 ? "4712" : "4711", c2: n === 2 ? "Bo" : SECRET }],
    );
  };
  // The oldest transaction is the last to commit.
  await record((text, values) => held.query(text, values), 1);
  await record((text, values) => the.sql(text, values), 2);
  const erasing = erasedLead(key, rita);
  await untilLeadIsWanted(the);
  await record((text, values) => the.sql(text, values), 3);
  const { results } = await written(key, [{ who: RITA.external_id, note: SECRET }], "insert", "notes");
  await deleted(key, "notes", [results[0]?.id]);
  await held.query("COMMIT");
  held.release();
  await erasing;
  assert.deepEqual(await tablesWith(the, SECRET), []);
  assert.deepEqual(await keptItems(the), ["chg_2"]);
});

test("rows of a dataset that becomes personal after changes were searched are erased from changes, too", async () => {
  await using the = await world({ alone: true });
  const key = await eraser(the);
  const rita = await made(key, { name: "Rita", ...RITA });
  const link = { column: "who", match: "external_id" };
  await make(key, { key: "firms", columns: NOTES, lead_link: { ...link, personal: false } });
  const { results } = await written(key, [{ who: RITA.external_id, note: SECRET }], "insert", "firms");
  await deleted(key, "firms", [results[0]?.id]);
  const held = await the.service.db.pool.connect();
  await held.query("BEGIN");
  await held.query("SELECT FROM store.lead WHERE project_id = $1 AND id = $2 FOR UPDATE", [
    the.project.id,
    rita,
  ]);
  const erasing = erasedLead(key, rita);
  await untilLeadIsWanted(the);
  await bodyOf(await key.send("PATCH", "/api/v1/datasets/firms", { lead_link: { ...link, personal: true } }));
  await held.query("COMMIT");
  held.release();
  await erasing;
  assert.deepEqual(await tablesWith(the, SECRET), []);
});
