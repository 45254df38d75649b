import assert from "node:assert/strict";
import { test } from "node:test";
import { world } from "../world.ts";
import { Assistant, addLead } from "./support/assistant.ts";

/** One of each kind, and a tag text that pretends to be the flag of a region. */
const CODES = [
  ...[0xad, 0x115f, 0x1160, 0x180e, 0x200b, 0x200d, 0x200f, 0x2028, 0x2029, 0x202e, 0x2060, 0x2064, 0x206a],
  ...[0x206f, 0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xfff9, 0xfffb, 0xe0041, 0xe007f, 0xe0100, 0xe01ef],
];
const HIDDEN = CODES.map((code) => String.fromCodePoint(code)).join("");
const EMOJI = "👩‍🚀❤️";
const EVIL = `ev${HIDDEN}il ${EMOJI} 🏴\u{E0041}\u{E007F}`;

/** Returns the hidden characters of a response besides those of the emoji. */
const hiddenIn = (text: string): string[] => {
  const rest = new Set(text.replaceAll(EMOJI, ""));
  return CODES.filter((code) => rest.has(String.fromCodePoint(code))).map((code) => code.toString(16));
};

test("hidden text does not reach an assistant in any tool result, prompt, resource, error or name", async () => {
  await using the = await world();
  const assistant = await Assistant.authorized(the);
  const project = the.project.id;
  const id = await addLead(the, {
    name: EVIL,
    company: EVIL,
    email: "same@example.org",
    source: EVIL,
    tags: [EVIL],
    custom: { [`k${EVIL}`]: EVIL },
  });
  await addLead(the, { name: EVIL, company: EVIL, email: "same@example.org", source: EVIL });
  await the.sql("UPDATE store.project SET name = $2 WHERE project_id = $1", [project, EVIL]);
  await the.sql(
    `INSERT INTO store.custom_field (project_id, key, label, type, options) VALUES ($1, 'plan', $2, 'enum', ARRAY[$2])`,
    [project, EVIL],
  );
  await the.sql(
    `INSERT INTO store.event (project_id, id, lead_id, type, occurred_at, title, data)
     VALUES ($1, 'evt_1', $2, 'note.added', now(), $3::text, jsonb_build_object($3::text, $3::text))`,
    [project, id, EVIL],
  );
  await the.sql(
    `INSERT INTO store.saved_view (project_id, id, name, query)
     VALUES ($1, 'view_1', $2, '{}'), ($1, 'view_2', $2, '{"filter": {"field": "gone", "op": "eq", "value": 1}}')`,
    [project, EVIL],
  );
  await the.sql(
    `INSERT INTO store.dataset (project_id, id, key, name, columns, slots)
     VALUES ($1, 'ds_1', 'notes', $2, jsonb_build_array(jsonb_build_object('slot', 'c1', 'key', 'code', 'label', $2::text,
       'type', 'text', 'required', false, 'unique', false, 'options', '[]'::jsonb)), 1)`,
    [project, EVIL],
  );
  await the.sql(
    `INSERT INTO store.dataset_row (project_id, dataset_id, id, cells) VALUES ($1, 'ds_1', 'row_1', jsonb_build_object('c1', $2::text))`,
    [project, EVIL],
  );

  const group = (field: string, op: string, value: unknown) => ({
    filter: { any: [{ all: [{ field, op, value }] }] },
  });
  const tools: [name: string, args: object][] = [
    ["get_context", {}],
    ["query_leads", {}],
    ["search", { query: "same" }],
    ["fetch", { id }],
    ["get_lead", { id }],
    ["get_lead_timeline", { id }],
    ["summarize_leads", { group_by: ["source"] }],
    ["find_duplicates", { id }],
    ["find_duplicates", {}],
    ["list_datasets", {}],
    ["read_dataset", { dataset: "notes" }],
    ["bulk_update_leads", { search: "same", action: "set", clear: ["company"] }],
    ["update_lead", { id, set: { job_title: EVIL } }],
    ["export_leads", { search: "same" }],
    ["query_leads", { view: "view_2" }],
    ["query_leads", group("custom.plan", "eq", "other")],
    ["query_leads", group(EVIL, "eq", 1)],
    ["read_dataset", { dataset: "notes", ...group(EVIL, "eq", 1) }],
    [`no ${EVIL}`, {}],
  ];
  const texts: [what: string, text: string][] = [];
  for (const [name, args] of tools) {
    const answer = await assistant.askEarlier("tools/call", { name, arguments: args });
    texts.push([`${name} ${JSON.stringify(args)}`, await answer.text()]);
  }
  for (const uri of [
    ...[
      "leads://project",
      "leads://schema",
      "leads://filters",
      "leads://filters/view_1",
      `leads://leads/${id}`,
    ],
    ...[`leads://leads/${id}/timeline`, "leads://datasets/ds_1", `leads://${EVIL}`],
  ])
    texts.push([uri, await (await assistant.askEarlier("resources/read", { uri })).text()]);
  const prompts: [string, Record<string, string>][] = [
    ["daily_brief", {}],
    ["qualify_lead", { lead_id: id }],
    ["draft_follow_up", { lead_id: id }],
    ["pipeline_review", {}],
    ["clean_duplicates", {}],
    ["plan_import", { columns: EVIL }],
    ["clean_duplicates", { by: EVIL }],
  ];
  for (const [name, args] of prompts)
    texts.push([name, await (await assistant.askEarlier("prompts/get", { name, arguments: args })).text()]);
  texts.push([
    "GET /mcp",
    await (await assistant.send("GET", undefined, { Accept: "application/json" })).text(),
  ]);

  for (const [what, text] of texts) assert.deepEqual(hiddenIn(text), [], what.slice(0, 60));
  for (const name of [
    "query_leads",
    "get_lead",
    "read_dataset",
    "list_datasets",
    "leads://filters",
    "daily_brief",
  ]) {
    const [, text = ""] = texts.find(([what]) => what.startsWith(name)) ?? [];
    assert.ok(
      text.includes(`evil ${EMOJI}`) || text.includes(`ev  il ${EMOJI}`),
      `${name} shows the text itself`,
    );
  }
});
