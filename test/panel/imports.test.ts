import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import iconv from "iconv-lite";
import type { Page } from "playwright-core";
import { leadsOf } from "../imports/support/importing.ts";
import { acted, ended as endedFor, sheetOf, uploaded } from "../imports/support/uploading.ts";
import { large } from "../large.ts";
import { checkPage, type PanelWorld, PHONE, panelWorld } from "./support/panel.ts";

interface Sent {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

const sent = (name: string, content: string | Buffer): Sent => ({
  name,
  mimeType: "",
  buffer: typeof content === "string" ? Buffer.from(content) : content,
});

/** Selects a file and waits until it was read. */
async function choose(page: Page, file: Sent): Promise<void> {
  await page.locator('input[type="file"]').setInputFiles(file);
  await page.waitForURL(/imports\/imp_/);
  await page.getByText("Continue to columns").waitFor();
}

/** For what works through thousands of rows. */
const PATIENCE_MS = 120_000;

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const imports = (the: PanelWorld) =>
  the.sql<{ id: string; state: string; created: number; failed: number; rows: number }>(
    "SELECT id, state, created, failed, rows FROM store.import WHERE project_id = $1 ORDER BY id",
    [the.project.id],
  );

/** Returns the newest import, once no job works on it. */
async function ended(the: PanelWorld) {
  for (;;) {
    const record = (await imports(the)).at(-1);
    if (record && ["done", "cancelled", "failed"].includes(record.state)) return record;
    await sleep(50);
  }
}

/** Selects an option by name. */
async function pick(page: Page, select: string | RegExp, option: string | RegExp): Promise<void> {
  await page.getByRole("combobox", { name: select }).click();
  await page.getByRole("option", { name: option }).first().click();
}

/** Returns the text of a tile of the report. */
const tile = async (page: Page, name: string): Promise<string> =>
  await page
    .locator("dl > div", { has: page.locator("dt", { hasText: new RegExp(`^${name}$`) }) })
    .locator("dd")
    .innerText();

test("a file with errors goes from the drop to the report: questions, check, fixes as a second import, undo", async () => {
  await using the = await panelWorld();
  const page = await the.open("imports");
  await page.getByText("No imports yet").waitFor();
  await checkPage(page, "no imports");
  await page.getByRole("link", { name: "Import a file" }).first().click();
  await page.getByText("Drop a file here").waitFor();
  await checkPage(page, "drop");

  const text = [
    "Nome;E-mail;Telefone;Entrada;Valor;Ramo",
    "João Conceição;joao@example.org;+55 11 96123-4567;01/02/2026;1.234,50;Padaria",
    "Ana Lúcia;ana@example.org;5.5E+12;02/03/2026;10,00;Oficina",
    '"Beto ""Nana""";nobody;;03/04/2026;muito;Padaria',
    "Caio;caio@example.org;;04/05/2026;7,25;Mercado",
    "Caio de Novo;CAIO@example.org;;04/05/2026;8,25;Mercado",
  ].join("\r\n");
  await choose(page, sent("clientes de março.csv", iconv.encode(text, "windows-1252")));
  await page.getByRole("region").getByText("João Conceição").waitFor();
  assert.equal(
    await page.getByRole("combobox", { name: "Encoding" }).inputValue(),
    "Windows-1252 (Western European)",
  );
  assert.equal(await page.getByRole("combobox", { name: "Delimiter" }).inputValue(), "Semicolon (;)");
  await checkPage(page, "file");
  await button(page, "Continue to columns").click();

  await pick(page, "Field for “Entrada”", /^First touch/);
  await page.getByText("Select a format").first().waitFor();
  assert.equal(await button(page, "Check file").isEnabled(), false);
  await checkPage(page, "questions");
  await page.reload();
  await page.getByText("Select a format").first().waitFor();
  await pick(page, "Date format: Entrada", "Day first (31/12)");
  await pick(page, "Field for “Ramo”", "New field…");
  await page.getByRole("dialog").getByLabel("Name").waitFor();
  assert.equal(await page.getByRole("dialog").getByLabel("Key").inputValue(), "ramo");
  await checkPage(page, "new field");
  await button(page, "Create field").click();
  await page.getByText("6 of 6 columns are imported").waitFor();
  await button(page, "Check file").click();

  await page.getByText("Here is what the import will do.").waitFor();
  assert.deepEqual(
    [await tile(page, "created"), await tile(page, "updated"), await tile(page, "failed")],
    ["2", "1", "2"],
  );
  await page.getByText("1 row matches the same lead as an earlier row").waitFor();
  assert.equal((await leadsOf(the)).length, 0);
  await checkPage(page, "check");
  await button(page, /^Telefone .*1$/).click();
  await page.getByLabel("Telefone, row 3").fill("+55 11 98888-7777");
  await page.getByRole("button", { name: "All", exact: true }).click();
  await page.getByLabel("E-mail, row 4").fill("beto@example.org");
  await page.getByLabel("Valor, row 4").fill("1.000,00");
  await page.getByText("2 corrected").waitFor();
  await page.reload();
  await page.getByText("2 corrected").waitFor();
  await button(page, "Import 3 rows").click();

  await page.getByRole("heading", { name: "Files" }).waitFor();
  assert.equal((await leadsOf(the)).length, 2);
  await checkPage(page, "report");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Failed rows with reasons" }).click(),
  ]);
  assert.match(download.suggestedFilename(), /\.csv$/);

  await button(page, "Import corrected rows (2)").click();
  await page.getByRole("heading", { name: "clientes de março (fixed).csv" }).waitFor();
  await button(page, "Import 2 rows").click();
  await page.getByRole("heading", { name: "Files" }).waitFor();
  const leads = new Map((await leadsOf(the)).map((lead) => [lead.email, lead]));
  assert.deepEqual([...leads.keys()].sort(), [
    "ana@example.org",
    "beto@example.org",
    "caio@example.org",
    "joao@example.org",
  ]);
  const beto = leads.get("beto@example.org");
  assert.deepEqual([beto?.name, beto?.value, beto?.custom], ['Beto "Nana"', 1000, { ramo: "Padaria" }]);

  await button(page, "Undo import").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("2 created by the import will be deleted.").waitFor();
  await checkPage(page, "undo asked");
  await dialog.getByRole("button", { name: "Undo import" }).click();
  await page.getByText("2 deleted, 0 restored, 0 kept").waitFor();
  await checkPage(page, "undone");
  await page.getByRole("link", { name: "All imports" }).click();
  await page.getByText("Undone", { exact: true }).waitFor();
  await checkPage(page, "history");
  assert.deepEqual(
    (await imports(the)).map(({ state }) => state),
    ["done", "undone"],
  );
});

large(
  "a spreadsheet's other sheet is read, NDJSON and a file without a header come in, and another reading is a choice away",
  async () => {
    await using the = await panelWorld();
    const page = await the.open("imports/new");
    const sheet = sheetOf([["Name"], ["Ana"]], {
      Old: [
        ["Name", "E-mail"],
        ["Bo", "bo@example.org"],
      ],
    });
    await choose(page, sent("leads.xlsx", sheet));
    await pick(page, "Sheet", "Old");
    await page.getByText("bo@example.org").waitFor();
    await checkPage(page, "sheet");
    await button(page, "Continue to columns").click();
    await button(page, "Check file").click();
    await button(page, "Import 1 row").click();
    await page.getByRole("heading", { name: "Files" }).waitFor();
    assert.deepEqual(
      (await imports(the)).map(({ state }) => state),
      ["cancelled", "done"],
    );

    await page.goto(`${the.authUrl}/projects/${the.project.id}/imports/new`);
    await choose(
      page,
      sent("more.ndjson", '{"email":"cy@example.org","name":"Cy"}\n{"email":"bad","name":"Di"}\n'),
    );
    assert.equal(await page.getByRole("combobox", { name: "Format" }).inputValue(), "NDJSON");
    await button(page, "Continue to columns").click();
    await button(page, "Check file").click();
    await button(page, "Import 1 row").click();
    await page.getByRole("heading", { name: "Failed rows" }).waitFor();
    await page.getByLabel("email, row 2").fill("di@example.org");
    await button(page, "Import corrected rows (1)").click();
    await page.getByRole("heading", { name: "more (fixed).ndjson" }).waitFor();
    await button(page, "Import 1 row").click();
    await page.getByRole("heading", { name: "Files" }).waitFor();

    await page.goto(`${the.authUrl}/projects/${the.project.id}/imports/new`);
    await choose(page, sent("plain.csv", "Eva|eva@example.org\nFay|fay@example.org\n"));
    assert.equal(await page.getByRole("combobox", { name: "Column names" }).inputValue(), "No names");
    await pick(page, "Column names", "Row 1");
    await page.getByText("File read again").waitFor();
    await page.getByRole("rowheader", { name: "Eva", exact: true }).waitFor();
    await pick(page, "Column names", "No names");
    await page.getByRole("rowheader", { name: "Column 1" }).waitFor();
    await pick(page, "Source program", "HubSpot");
    await button(page, "Continue to columns").click();
    assert.equal(await page.getByRole("combobox", { name: "Field for “Column 2”" }).inputValue(), "E-mail");
    await pick(page, "Field for “Column 1”", /^Last name$/);
    await page.getByText("Selected by you").waitFor();
    await button(page, "Check file").click();
    await button(page, "Import 2 rows").click();
    await page.getByRole("heading", { name: "Files" }).waitFor();
    assert.deepEqual((await leadsOf(the)).map(({ email }) => email).sort(), [
      "bo@example.org",
      "cy@example.org",
      "di@example.org",
      "eva@example.org",
      "fay@example.org",
    ]);
  },
);

large("values of another program's statuses stand for ours", async () => {
  await using the = await panelWorld();
  const page = await the.open("imports/new");
  await choose(
    page,
    sent("s.csv", "email,status\na@example.org,Open deal\nb@example.org,new\nc@example.org,junk\n"),
  );
  await button(page, "Continue to columns").click();
  await pick(page, "Option for “Open deal”", "qualified");
  await pick(page, "Option for “junk”", "Leave it out");
  await checkPage(page, "values");
  await page.getByText("2 of 2 columns are imported").waitFor();
  await button(page, "Check file").click();
  await button(page, "Import 3 rows").click();
  await page.getByRole("heading", { name: "Files" }).waitFor();
  assert.deepEqual((await leadsOf(the)).map(({ email, status }) => [email, status]).sort(), [
    ["a@example.org", "qualified"],
    ["b@example.org", "new"],
    ["c@example.org", "new"],
  ]);
});

large(
  "an import goes on when its page is closed; cancelled, it goes on behind the last counted row and ends exactly",
  async () => {
    await using the = await panelWorld();
    const page = await the.open("imports/new");
    const count = 15_000;
    const lines = Array.from({ length: count }, (_, i) => `e${i},Person ${i},p${i}@example.org`);
    await choose(page, sent("many.csv", `external_id,name,email\n${lines.join("\n")}\n`));
    await button(page, "Continue to columns").click();
    await button(page, "Check file").click();
    await button(page, "Import 15,000 rows").click({ timeout: PATIENCE_MS });
    await page.getByText(/of 15,000 rows/).waitFor();
    const address = page.url();
    const context = page.context();
    await page.close({ runBeforeUnload: false });
    const again = await context.newPage();
    await again.goto(address);
    await again.locator("h1", { hasText: "many.csv" }).waitFor();
    // The import may finish before the button is pressed, between the two presses, or after them.
    const dialog = again.getByRole("dialog");
    const report = again.getByRole("heading", { name: "Files" });
    await button(again, "Cancel import").or(report).first().waitFor();
    await button(again, "Cancel import")
      .click({ timeout: 5_000 })
      .catch(() => report.waitFor());
    await dialog.or(report).first().waitFor();
    await dialog
      .getByRole("button", { name: "Cancel import" })
      .click({ timeout: 5_000 })
      .catch(() => report.waitFor());
    const { state, rows } = await ended(the);
    if (state === "cancelled") {
      if (rows > 0 && rows < count) await again.getByText("Unprocessed rows").waitFor();
      await button(again, "Resume import").click();
    }
    await again.getByText("Imported", { exact: true }).waitFor({ timeout: PATIENCE_MS });
    const [record] = await imports(the);
    assert.deepEqual([record?.state, record?.rows, record?.created], ["done", count, count]);
    assert.equal(
      (await the.sql("SELECT FROM store.lead WHERE project_id = $1", [the.project.id])).length,
      count,
    );
  },
);

large(
  "an answer that was asked for before a button was pressed does not take back what the button did",
  async () => {
    await using the = await panelWorld();
    const page = await the.open("imports/new");
    await choose(page, sent("late.csv", "email,name\na@example.org,A\n"));
    await button(page, "Continue to columns").click();
    await button(page, "Check file").click();
    await button(page, "Import 1 row").waitFor();
    const [record] = await imports(the);
    const held = Promise.withResolvers<void>();
    const late = Promise.withResolvers<void>();
    await page.route(
      `**/v1/imports/${record?.id}`,
      async (route) => {
        const answer = await route.fetch();
        late.resolve();
        await held.promise;
        await route.fulfill({ response: answer }).catch(() => {});
      },
      { times: 1 },
    );
    // Returning to the window requests the state again.
    await page.clock.install();
    await page.clock.fastForward("01:00");
    await page.evaluate(`window.dispatchEvent(new Event("visibilitychange"))`);
    await late.promise;
    const committed = page.waitForResponse(/\/commit$/);
    await button(page, "Import 1 row").click();
    await committed;
    held.resolve();
    await page.clock.resume();
    await page.getByText("Imported", { exact: true }).waitFor();
  },
);

large("an upload shows how far it is, and can be cancelled; nothing of it is left", async () => {
  await using the = await panelWorld();
  const page = await the.open("imports/new");
  let reached = () => {};
  const asked = new Promise<void>((resolve) => {
    reached = resolve;
  });
  await page.route("**/v1/imports?*", () => reached());
  await page.locator('input[type="file"]').setInputFiles(sent("slow.csv", "email\na@example.org\n"));
  await asked;
  // At 0 % it has no width, which a browser considers hidden.
  await page.getByRole("progressbar", { name: "Sending" }).waitFor({ state: "attached" });
  await checkPage(page, "sending");
  await button(page, "Cancel").click();
  await page.getByText("Drop a file here").waitFor();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  assert.equal((await imports(the)).length, 0);
  await page.locator('input[type="file"]').setInputFiles(sent("empty.csv", ""));
  await page.getByRole("alert").getByText("no header line").waitFor();
  await checkPage(page, "refused upload");
});

large("a dataset can be the target: selected, imported into, and listed separately", async () => {
  await using the = await panelWorld();
  const key = await the.key(["datasets:read", "datasets:write"]);
  const columns = [
    { key: "domain", label: "Domain", type: "text", required: true, unique: true },
    { key: "staff", label: "Staff", type: "integer" },
  ];
  const body = { key: "companies", name: "Companies", columns, key_column: "domain" };
  assert.equal((await key.send("POST", "/api/v1/datasets", body)).status, 201);
  const page = await the.open("imports/new");
  await pick(page, "Import into", "Companies");
  await choose(page, sent("c.csv", "Domain,Staff\na.example,3\nb.example,many\n"));
  await button(page, "Continue to columns").click();
  assert.equal(
    await page.getByRole("combobox", { name: "Existing rows" }).inputValue(),
    "Update existing rows and add new ones",
  );
  await checkPage(page, "dataset columns");
  await button(page, "Check file").click();
  await page.getByText("Here is what the import will do.").waitFor();
  await button(page, "Import 1 row").click();
  await page.getByRole("heading", { name: "Failed rows" }).waitFor();
  await page.getByLabel("Staff, row 3").fill("7");
  await button(page, "Import corrected rows (1)").click();
  await button(page, "Import 1 row").click();
  await page.getByRole("heading", { name: "Files" }).waitFor();
  assert.equal(
    (await the.sql("SELECT FROM store.dataset_row WHERE project_id = $1", [the.project.id])).length,
    2,
  );
  await button(page, "Undo import").click();
  await page.getByRole("dialog").getByRole("button", { name: "Undo import" }).click();
  await page.getByText("1 deleted, 0 restored, 0 kept").waitFor();
  assert.equal(
    (await the.sql("SELECT FROM store.dataset_row WHERE project_id = $1", [the.project.id])).length,
    1,
  );
  await page.getByRole("link", { name: "All imports" }).click();
  await page.getByText("No imports yet").waitFor();
  await pick(page, "Show imports of", "Companies");
  await page.getByRole("link", { name: "c (fixed).csv" }).waitFor();
  await checkPage(page, "imports of a dataset");
});

test("what somebody changed later stays when an import is undone, and is listed", async () => {
  await using the = await panelWorld();
  const page = await the.open("imports/new");
  await choose(page, sent("k.csv", "email,name\na@example.org,A\nb@example.org,B\n"));
  await button(page, "Continue to columns").click();
  await button(page, "Check file").click();
  await button(page, "Import 2 rows").click();
  await page.getByRole("heading", { name: "Files" }).waitFor();
  const lead = (await leadsOf(the)).find(({ email }) => email === "a@example.org");
  const key = await the.key(["leads:read", "leads:write"]);
  assert.equal((await key.send("PATCH", `/api/v1/leads/${lead?.id}`, { city: "Natal" })).status, 200);
  await button(page, "Undo import").click();
  await page.getByRole("dialog").getByRole("button", { name: "Undo import" }).click();
  await page.getByText("1 deleted, 0 restored, 1 kept").waitFor();
  await page.getByRole("link", { name: String(lead?.id) }).waitFor();
  await checkPage(page, "left");
});

test("thirty days later the report says that its file and lists are gone, and keeps its numbers", async () => {
  await using the = await panelWorld({ alone: true });
  const key = await the.key(["leads:write"]);
  const { id } = await uploaded(the, key, "external_id,email\ngood,good@x.org\nbad,nobody\n");
  await acted(key, id, "commit");
  await the.sql("UPDATE store.import SET expires_at = now() WHERE project_id = $1", [the.project.id]);
  const page = await the.open(`imports/${id}`);
  await page.getByText("The file and these lists have expired.").waitFor();
  assert.deepEqual([await tile(page, "created"), await tile(page, "failed")], ["1", "1"]);
  assert.equal(await page.getByRole("heading", { name: "Failed rows" }).count(), 0);
  assert.equal(await button(page, "Undo import").count(), 0);
  await checkPage(page, "expired");
});

large("a viewer sees that imports are not available to them; an unknown import is reported", async () => {
  await using the = await panelWorld();
  const viewer = await the.newPerson("Vera");
  await the.join(viewer, the.project.id, "viewer");
  for (const address of ["imports", "imports/new", "imports/imp_x"]) {
    const page = await the.open(address, { as: viewer });
    await page.getByText("You need the Editor role to import files.").waitFor();
    assert.equal(await page.locator('input[type="file"]').count(), 0);
    await checkPage(page, address);
  }
  const page = await the.open("imports/imp_00000000000000000000000000");
  await page.getByRole("heading", { level: 1, name: "Import not found" }).waitFor();
  await checkPage(page, "no such import");
});

large("on a phone, in Portuguese, hostile names, headers and cells are text", async () => {
  await using the = await panelWorld();
  const page = await the.open("imports/new", { size: PHONE, language: "pt-BR" });
  page.on("dialog", () => assert.fail("a script ran"));
  const evil = `<img src=x onerror=alert(1)>`;
  const header = ["email", evil, "\u202eevil", "z\u200bw", "x".repeat(3_000), "__proto__", "Nome"];
  const cells = ["bad", evil, "\u202etxt", "z\u200bw", "y".repeat(10_000), "p", "Ana"];
  const line = (row: string[]) => row.map((cell) => `"${cell}"`).join(",");
  const file = sent(
    `${evil}\u202e.csv`,
    `${line(header)}\n${line(cells)}\n${line(["a@example.org", ...cells.slice(1)])}\n`,
  );
  await page.locator('input[type="file"]').setInputFiles(file);
  await page.getByText("Continuar para as colunas").waitFor();
  await checkPage(page, "hostile file");
  await button(page, "Continuar para as colunas").click();
  await page.getByText("2 de 7 colunas são importadas").waitFor();
  await checkPage(page, "hostile columns");
  for (const column of [evil, "__proto__"]) {
    await pick(page, `Campo para “${column}”`, "Novo campo…");
    await checkPage(page, "hostile new field");
    await button(page, "Criar campo").click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
  }
  await page.getByText("4 de 7 colunas são importadas").waitFor();
  await button(page, "Verificar arquivo").click();
  await page.getByText("Veja o que a importação fará.").waitFor();
  await page.getByText("não é um endereço de e-mail").first().waitFor();
  await checkPage(page, "hostile check");
  await button(page, "Importar 1 linha").click();
  await page.getByRole("heading", { name: "Arquivos" }).waitFor();
  await checkPage(page, "hostile report");
  await page.getByRole("link", { name: "Todas as importações" }).click();
  await page.getByText("Importada", { exact: true }).waitFor();
  await checkPage(page, "hostile history");
  assert.equal(await page.locator("img[src=x]").count(), 0);
});

test("opt-outs of a file are shown as they are read, counted by the check, and cleared only where that is chosen", async () => {
  await using the = await panelWorld();
  const key = await the.key(["leads:write", "leads:read"]);
  assert.equal(
    (await key.send("POST", "/api/v1/leads", { email: "b@example.org", do_not_contact: true })).status,
    201,
  );
  const page = await the.open("imports/new");
  const text = [
    "email,Marketing status,Do not call,Note",
    "a@example.org,Unsubscribed,no,x",
    "b@example.org,Subscribed,no,x",
    "c@example.org,Gone away,yes,x",
    "d@example.org,No consent,,x",
  ].join("\n");
  await choose(page, sent("people.csv", text));
  await button(page, "Continue to columns").click();
  await page.getByText("4 of 4 columns are imported").waitFor();
  const option = (value: string) =>
    page.getByRole("combobox", { name: `Option for “${value}”` }).inputValue();
  assert.deepEqual(await Promise.all(["Unsubscribed", "Subscribed", "Gone away", "No consent"].map(option)), [
    "Opted out",
    "Did not opt out",
    "Do not contact the person",
    "Do not contact",
  ]);
  await pick(page, "Field for “Note”", /^Opt-out · used|^Opt-out$/);
  await pick(page, "Field for “Note”", "Do not import");
  const clear = page.getByRole("checkbox", { name: "Let this file clear opt-outs" });
  assert.equal(await clear.isChecked(), false);
  await checkPage(page, "opt-outs");
  await button(page, "Check file").click();
  await page
    .getByText("4 rows read · 3 opt out of contact · 1 would clear an opt-out, which is kept")
    .waitFor();
  assert.equal(await tile(page, "failed"), "0");
  await checkPage(page, "opt-outs counted");
  await button(page, "Edit columns").click();
  await pick(page, "Option for “Gone away”", "Opted out");
  await clear.check();
  await button(page, "Check file").click();
  await page.getByText("4 rows read · 3 opt out of contact").waitFor();
  await button(page, "Import 4 rows").click();
  await page.getByRole("heading", { name: "Files" }).waitFor();
  assert.deepEqual(
    (await leadsOf(the)).map(({ email, do_not_contact: out }) => [email, out]),
    [
      ["a@example.org", true],
      ["b@example.org", false],
      ["c@example.org", true],
      ["d@example.org", true],
    ],
  );
});

/** A file with dates that can be read in two ways, statuses of another program, and a column that fills nothing. */
const ASKING = [
  "email,status,created_at,Shoe size",
  "a@example.org,Hot,01/02/2026,37",
  "b@example.org,Cold,03/04/2026,41",
].join("\n");

test("a key answers what must be answered: the focus stays, the next step opens, and an edit on its way is kept", async () => {
  await using the = await panelWorld();
  const key = await the.key(["leads:write", "leads:read"]);
  const { id } = await uploaded(the, key, ASKING);
  const page = await the.open(`imports/${id}?step=columns`);
  await page.getByText("1 question left").waitFor();
  assert.equal(await button(page, "Check file").isEnabled(), false);
  await page.getByText("01/02/2026 = 2026-02-01").waitFor();
  await checkPage(page, "a question");
  // The edit is not saved until the answer was given, too.
  const held = Promise.withResolvers<void>();
  await page.route(`**/v1/imports/${id}/mapping`, async (route) => {
    await held.promise;
    await route.continue();
  });
  await pick(page, "New and existing leads", "Only create new");
  const dayFirst = button(page, /^Day first/);
  await dayFirst.focus();
  await page.keyboard.press("Enter");
  held.resolve();
  await page.getByText("3 of 4 columns are imported").waitFor();
  assert.equal(await dayFirst.getAttribute("aria-pressed"), "true");
  assert.match(String(await page.evaluate("document.activeElement.textContent")), /^Day first/);
  await button(page, "Check file").click();
  await button(page, "Import 2 rows").waitFor();
  const { mode, columns } = (await endedFor(key, id)).mapping;
  assert.deepEqual([mode, columns.created_at], ["insert", { field: "created_at", dates: "dmy" }]);
});

test("one click decides what a status of another program is, and what becomes of a column; the report lists all choices", async () => {
  await using the = await panelWorld();
  const key = await the.key(["leads:write", "leads:read"]);
  const { id } = await uploaded(the, key, ASKING.replaceAll("/02/", "/22/").replaceAll("/04/", "/24/"));
  const page = await the.open(`imports/${id}?step=columns`);
  await pick(page, "Option for “Hot”", /^qualified$/);
  await pick(page, "Option for “Cold”", "Leave it out");
  const shoes = page.getByRole("group", { name: "What happens to “Shoe size”" });
  await shoes.getByRole("button", { name: "Leave out Suggested", pressed: true }).waitFor();
  await shoes.getByRole("button", { name: "Note on the timeline" }).click();
  await page.getByText("4 of 4 columns are imported").waitFor();
  assert.equal(
    await page.getByRole("combobox", { name: "Field for “Shoe size”" }).inputValue(),
    "Note on the timeline",
  );
  await button(page, "Check file").click();
  await button(page, "Import 2 rows").click();
  await page.getByRole("heading", { name: "Files" }).waitFor();
  assert.deepEqual(
    (await leadsOf(the)).map(({ email, status }) => [email, status]),
    [
      ["a@example.org", "qualified"],
      ["b@example.org", "new"],
    ],
  );
  const notes = await the.sql<{ text: string }>(
    "SELECT data ->> 'text' AS text FROM store.event WHERE project_id = $1 AND type = 'note.added' ORDER BY 1",
    [the.project.id],
  );
  assert.deepEqual(
    notes.map(({ text }) => text),
    ["37", "41"],
  );
  await page.getByText("Choices made (3)").click();
  await page.getByRole("row", { name: "“Hot” (status) qualified · chosen" }).waitFor();
  await checkPage(page, "choices made");
});

test("on a phone, in Portuguese, an answer taken over from an earlier import says so and leads to it", async () => {
  await using the = await panelWorld();
  const key = await the.key(["leads:write", "leads:read"]);
  const first = await uploaded(the, key, ASKING);
  const answers = { "date_order:created_at": "mdy" };
  assert.equal((await key.send("PUT", `/api/v1/imports/${first.id}/answers`, answers)).status, 200);
  const { id } = await uploaded(the, key, ASKING.replace("37", "38"));
  const page = await the.open(`imports/${id}?step=columns`, { size: PHONE, language: "pt-BR" });
  await button(page, /^Mês primeiro/)
    .and(page.locator("[aria-pressed=true]"))
    .waitFor();
  assert.equal(await button(page, "Verificar arquivo").isEnabled(), true);
  await checkPage(page, "taken over");
  await page.getByRole("link", { name: "Respondida em uma importação anterior" }).click();
  await page.waitForURL(new RegExp(first.id));
});

test("rows above the column names and after the last lead are shown and can be chosen otherwise", async () => {
  await using the = await panelWorld();
  const page = await the.open("imports/new");
  const lines = [
    ...["Leads of the fair;;", "Name;E-mail;City", "Ana;ana@example.org;Rio", "Bo;bo@example.org;Natal"],
    ...["Cy;cy@example.org;Natal", "Total: 3;;"],
  ];
  await choose(page, sent("fair.csv", lines.join("\n")));
  await button(page, "Row 2 Suggested").waitFor();
  assert.equal(await page.getByRole("combobox", { name: "Column names" }).inputValue(), "Row 2");
  await checkPage(page, "reading asked");
  await page.getByRole("button", { name: "Import", exact: true }).click();
  await page.getByRole("combobox", { name: "Last rows" }).and(page.locator('[value="Imported"]')).waitFor();
  await pick(page, "Last rows", "Left out (1)");
  await page.getByRole("button", { name: "Leave out", pressed: true }).waitFor();
  await button(page, /^Row 1/).click();
  await page.getByRole("rowheader", { name: "Leads of the fair" }).waitFor();
  assert.match(String(await page.evaluate("document.activeElement.textContent")), /^Row 1/);
});
