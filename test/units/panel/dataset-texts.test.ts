import assert from "node:assert/strict";
import { test } from "node:test";
import { clipboardText } from "../../../web/src/datasets/model/clipboard-text.ts";
import { faultsAt, pasteKey, rowsOf, sheetOf } from "../../../web/src/datasets/paste/paste.ts";
import { readTable, readText } from "../../../web/src/datasets/rows/read-text.ts";
import { columnKeyFrom, draftOf, patchOf, withoutColumn } from "../../../web/src/datasets/schema/schema.ts";

const EN = { locale: "en", timezone: "America/Sao_Paulo" } as const;
const PT = { locale: "pt-BR", timezone: "America/Sao_Paulo" } as const;

const column = (key: string, type: "text" | "integer" | "enum" | "email", label = key) => ({
  ...{ key, label, type, required: false, unique: false, options: type === "enum" ? ["Basic", "Pro"] : [] },
});
const DATASET = {
  ...{ id: "ds_1", key: "people", name: "People", version: 3, change: null, created_at: "", updated_at: "" },
  columns: [column("mail", "email", "E-mail"), column("seats", "integer"), column("plan", "enum")],
  key_column: "mail",
  lead_link: { column: "mail", match: "email" as const, personal: true },
};

test("cells of a spreadsheet come apart at tabs and lines, but for those in quotes", () => {
  assert.deepEqual(readTable('a\tb\r\nc\t"d ""x""\n\te"\r\n'), [
    ["a", "b"],
    ["c", 'd "x"\n\te'],
  ]);
  assert.deepEqual(readTable("one"), [["one"]]);
  assert.deepEqual(readTable("a\t\n\tb"), [
    ["a", ""],
    ["", "b"],
  ]);
  assert.deepEqual(readTable('5" pipe\t"open'), [['5" pipe', '"open']]);
});

test("texts are read as spreadsheets of the person's language write them", () => {
  const value = (type: Parameters<typeof readText>[0]["type"], text: string, how: typeof EN | typeof PT) => {
    const reading = readText({ type, options: ["Basic", "Pro"] }, text, how);
    return "value" in reading ? reading.value : reading.code;
  };
  assert.equal(value("number", "1,234.5", EN), 1234.5);
  assert.equal(value("number", "1.234,5", PT), 1234.5);
  assert.equal(value("number", "1.5", PT), 1.5);
  assert.equal(value("number", "1,5", EN), "not_a_number");
  assert.equal(value("number", "12 apples", EN), "not_a_number");
  for (const [how, written] of [
    [EN, "1.125"],
    [PT, "1,125"],
  ] as const) {
    assert.equal(clipboardText(1.125, how.locale), written);
    assert.equal(value("number", written, how), 1.125);
  }
  assert.equal(clipboardText('a "b"\tc', "en"), '"a ""b""\tc"');
  assert.equal(value("integer", "-1 200", PT), -1200);
  assert.equal(value("boolean", "Sim", PT), true);
  assert.equal(value("boolean", "perhaps", EN), "not_a_boolean");
  assert.equal(value("date", "3/31/2026", EN), "2026-03-31");
  assert.equal(value("date", "31/3/2026", PT), "2026-03-31");
  assert.equal(value("datetime", "31/03/2026 9:30", PT), "2026-03-31T12:30:00.000Z");
  assert.equal(value("datetime", "2026-03-31T09:30", EN), "2026-03-31T12:30:00.000Z");
  assert.equal(value("datetime", "2026-03-31T09:30:00+02:00", EN), "2026-03-31T09:30:00+02:00");
  assert.equal(value("enum", "pro", EN), "Pro");
  assert.deepEqual(value("json", '{"a":1}', EN), { a: 1 });
  assert.equal(value("json", "{", EN), "not_json");
  assert.equal(value("text", "  ", EN), null);
});

test("pasted headings choose the columns; without headings, values go to those from the selected cell on", () => {
  const named = sheetOf(DATASET, {
    cells: [
      ["SEATS", "E-mail", "other"],
      ["3", "a@example.org", "x"],
    ],
    row: undefined,
    column: DATASET.columns[2],
  });
  assert.deepEqual(
    [named.named, named.columns.map((each) => each?.key)],
    [true, ["seats", "mail", undefined]],
  );
  const { rows, faults } = rowsOf(named, undefined, EN);
  assert.deepEqual([rows, faults.size], [[{ seats: 3, mail: "a@example.org" }], 0]);
  const plain = sheetOf(DATASET, {
    cells: [
      ["4", "Pro", "beyond"],
      ["x", "basic"],
    ],
    row: undefined,
    column: DATASET.columns[1],
  });
  const written = { _lead_id: null, _version: 1, _created_at: "", _updated_at: "" };
  const over = [
    { _id: "row_1", ...written },
    { _id: "row_2", ...written },
  ];
  const read = rowsOf(plain, over, EN);
  assert.deepEqual(read.rows, [
    { _id: "row_1", seats: 4, plan: "Pro" },
    { _id: "row_2", plan: "Basic" },
  ]);
  assert.equal(read.faults.get(pasteKey(1, "seats"))?.code, "not_a_number");
  const told = faultsAt([
    { path: "$.rows[2].mail", code: "duplicate", message: "" },
    { path: "$.rows[3]", code: "row_too_large", message: "" },
  ]);
  assert.deepEqual([...told.keys()], [pasteKey(2, "mail"), pasteKey(3, "")]);
});

test("a change of columns lists what was renamed and what is dropped, and nothing that stays", () => {
  const draft = draftOf(DATASET);
  assert.equal(patchOf(DATASET, draft), undefined);
  const renamed = {
    ...draft,
    columns: draft.columns.map((each) => (each.key === "mail" ? { ...each, key: "email" } : each)),
  };
  assert.deepEqual(patchOf(DATASET, renamed)?.patch, {
    columns: [
      { key: "email", label: "E-mail", type: "email", required: false, unique: false, was: "mail" },
      { key: "seats", label: "seats", type: "integer", required: false, unique: false },
      { key: "plan", label: "plan", type: "enum", required: false, unique: false, options: ["Basic", "Pro"] },
    ],
    key_column: "email",
    lead_link: { column: "email", match: "email", personal: true },
  });
  const without = patchOf(DATASET, withoutColumn(draft, "mail"));
  assert.deepEqual(without?.patch, {
    columns: [
      { key: "seats", label: "seats", type: "integer", required: false, unique: false },
      { key: "plan", label: "plan", type: "enum", required: false, unique: false, options: ["Basic", "Pro"] },
    ],
    drop: ["mail"],
    key_column: null,
    lead_link: null,
  });
  assert.equal(columnKeyFrom("Tamanho da Equipe (nº)"), "tamanho_da_equipe_n");
  assert.equal(columnKeyFrom("2º", ["o"]), "column");
  assert.equal(columnKeyFrom("Name", ["name"]), "name_2");
});
