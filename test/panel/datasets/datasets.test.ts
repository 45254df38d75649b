import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { large } from "../../large.ts";
import { companies } from "../support/datasets-seed.ts";
import { checkPage, dialogHasFocus, type PanelWorld, panelWorld } from "../support/panel.ts";

const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
const cell = (page: Page, row: number, column: string) =>
  page.locator(`tr[data-row="${row}"] td[data-column="${column}"]`);

const stored = async (the: PanelWorld) =>
  (
    await the.sql<{ cells: Record<string, unknown> }>(
      "SELECT cells FROM store.dataset_row WHERE project_id = $1 ORDER BY id",
      [the.project.id],
    )
  ).map(({ cells }) => cells);

/** Pastes cells into the grid, as Ctrl+V does. */
const paste = (page: Page, text: string) =>
  page.evaluate(`(() => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", ${JSON.stringify(text)});
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    document.querySelector("[role=grid]").dispatchEvent(event);
  })()`);

test("an editor makes a dataset, fills it by hand and by pasting, corrects what is refused at its cell, deletes and undoes", async () => {
  await using the = await panelWorld();
  const editor = await the.newPerson("Edda");
  await the.join(editor, the.project.id, "editor");
  const page = await the.open("datasets", { as: editor });
  await said(page, "No datasets yet");
  await checkPage(page, "no datasets");

  await page.keyboard.press("c");
  const dialog = page.getByRole("dialog", { name: "New dataset" });
  await dialog.getByLabel("Name", { exact: true }).fill("Contratos ativos");
  assert.equal(await dialog.getByLabel("Key", { exact: true }).inputValue(), "contratos_ativos");
  for (const [label, type] of [
    ["E-mail", "E-mail"],
    ["Seats", "Whole number"],
  ] as const) {
    await dialog.getByRole("button", { name: "Add column" }).click();
    const column = page.getByRole("dialog", { name: "Add column" });
    await column.getByLabel("Label").fill(label);
    await column.getByLabel("Type").click();
    await page.getByRole("option", { name: type, exact: true }).click();
    await column.getByRole("button", { name: "Done" }).click();
  }
  await dialog.getByLabel("Key column").click();
  await page.getByRole("option", { name: "E-mail" }).click();
  await dialog.getByLabel("Column", { exact: true }).click();
  await page.getByRole("option", { name: "E-mail" }).click();
  await checkPage(page, "new dataset");
  await dialog.getByRole("button", { name: "Create dataset" }).click();
  await said(page, "No rows yet");
  const [made] = await the.sql<{ key: string; key_column: string; lead_link: { match: string } }>(
    "SELECT key, key_column, lead_link FROM store.dataset WHERE project_id = $1",
    [the.project.id],
  );
  assert.deepEqual(
    [made?.key, made?.key_column, made?.lead_link.match],
    ["contratos_ativos", "e_mail", "email"],
  );

  await page.getByRole("button", { name: "Add row" }).click();
  const form = page.getByRole("dialog", { name: "New row" });
  await dialogHasFocus(page);
  await page.keyboard.type("Lia");
  assert.equal(await form.getByLabel("Name").inputValue(), "Lia", "the first field has the focus");
  await form.getByLabel("Seats").fill("many");
  await form.getByRole("button", { name: "Add row" }).click();
  await form.getByText("must not be empty").waitFor();
  await form.getByText("must be a number").waitFor();
  await checkPage(page, "new row with faults");
  await form.getByLabel("Seats").fill("1,200");
  await form.getByLabel("E-mail").fill("nobody");
  await form.getByRole("button", { name: "Add row" }).click();
  await form
    .getByText("is not an e-mail")
    .or(form.getByText(/e-mail address/))
    .first()
    .waitFor();
  await form.getByLabel("E-mail").fill("lia@example.org");
  await form.getByRole("button", { name: "Add row" }).click();
  await said(page, "Row added");
  await cell(page, 0, "seats").getByText("1,200").waitFor();

  // Headings name the columns; errors are shown at their cells, and nothing is written until all are fixed.
  await page.getByRole("grid").focus();
  await paste(page, "Seats\tE-mail\tName\n5\tlia@example.org\tBo\nx\tcy@example.org\tCy\n");
  const pasting = page.getByRole("dialog", { name: "Paste into dataset" });
  await pasting.getByText("The first line was read as column names.").waitFor();
  await pasting.getByRole("button", { name: "Save all (2 rows)" }).click();
  await pasting.getByText("must be a number").waitFor();
  await checkPage(page, "pasted with faults");
  await pasting.getByLabel("Seats, Line 2").fill("7");
  await pasting.getByRole("button", { name: "Save all (2 rows)" }).click();
  await pasting.getByText("is already used in another row").waitFor();
  assert.equal((await stored(the)).length, 1);
  await pasting.getByLabel("E-mail, Line 1").fill("bo@example.org");
  await pasting.getByRole("button", { name: "Save all (2 rows)" }).click();
  await said(page, "Row added: 2 rows");
  await page.getByText("3 rows", { exact: true }).waitFor();
  assert.deepEqual(
    (await stored(the)).map(({ c1, c2, c3 }) => [c1, c2, c3]),
    [
      ["Lia", "lia@example.org", 1200],
      ["Bo", "bo@example.org", 5],
      ["Cy", "cy@example.org", 7],
    ],
  );

  // A cell is edited in place; an error stays at it until it is fixed.
  await cell(page, 0, "name").getByText("Bo").waitFor();
  await cell(page, 0, "seats").dblclick();
  await page.getByRole("textbox", { name: "Seats" }).fill("8");
  await page.keyboard.press("Tab");
  await cell(page, 0, "seats").getByText("8", { exact: true }).waitFor();
  await page.getByRole("grid").focus();
  await cell(page, 0, "e_mail").dblclick();
  await page.getByRole("textbox", { name: "E-mail" }).fill("LIA@example.org");
  await page.keyboard.press("Enter");
  await page.getByRole("alert", { name: "Not saved" }).getByText("is already used in another row").waitFor();
  assert.equal(await cell(page, 0, "e_mail").innerText(), "LIA@example.org");
  await checkPage(page, "a value that was refused");
  await page.getByRole("button", { name: "Discard" }).click();
  await cell(page, 0, "e_mail").getByText("bo@example.org").waitFor();

  // Pastes over existing rows, from the selected cell on.
  await cell(page, 0, "seats").click();
  await paste(page, "21\n22");
  await pasting.getByLabel(/Overwrite rows/).click();
  await pasting.getByRole("button", { name: "Save all (2 rows)" }).click();
  await said(page, "Row saved: 2 rows");
  await cell(page, 1, "seats").getByText("22").waitFor();

  // Somebody else changes the same cell in the meantime.
  await cell(page, 1, "name").dblclick();
  await page.getByRole("textbox", { name: "Name" }).fill("Mine");
  const key = await the.key(["datasets:read", "datasets:write"]);
  const theirs = { mode: "update", rows: [{ e_mail: "cy@example.org", name: "Theirs" }] };
  assert.equal((await key.send("POST", "/api/v1/datasets/contratos_ativos/rows/batch", theirs)).status, 200);
  await page.keyboard.press("Enter");
  await page
    .getByRole("alert", { name: "Not saved" })
    .getByText(/changed to Theirs/)
    .waitFor();
  await cell(page, 1, "name").dblclick();
  await page.keyboard.press("Enter");
  await page.getByRole("alert", { name: "Not saved" }).waitFor({ state: "detached" });
  const isMine = async () => (await stored(the)).some(({ c1 }) => c1 === "Mine");
  for (let tries = 0; tries < 100 && !(await isMine()); tries += 1) await page.waitForTimeout(100);
  assert.ok(await isMine());

  await page.getByRole("checkbox", { name: "Select: bo@example.org" }).check();
  await page.getByRole("checkbox", { name: "Select: lia@example.org" }).check();
  await checkPage(page, "rows chosen");
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await said(page, "Deleted: 2 rows");
  await page.getByText("1 row", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Undo" }).last().click();
  await said(page, "Undone");
  await page.getByText("3 rows", { exact: true }).waitFor();
  assert.deepEqual((await stored(the)).map(({ c2 }) => c2).sort(), [
    "bo@example.org",
    "cy@example.org",
    "lia@example.org",
  ]);
});

large(
  "columns are renamed, added, tightened and dropped; rows that do not fit are shown; deleting a dataset first lists what is lost",
  async () => {
    await using the = await panelWorld();
    const { key, id } = await companies(the);
    await key.send("POST", "/api/v1/datasets/companies/rows", { name: "Blank", domain: "blank.example" });
    const page = await the.open(`datasets/${id}?tab=columns`);
    const columns = page.getByRole("list", { name: "Columns in order" });
    const bar = page.getByRole("region", { name: "Unsaved changes" });
    const shown = async () =>
      (await (await key.send("GET", "/api/v1/datasets/companies")).json()) as {
        columns: { key: string; required: boolean }[];
        key_column: string;
      };

    await columns.getByRole("button", { name: "Edit: Seats" }).click();
    const dialog = page.getByRole("dialog");
    await dialogHasFocus(page);
    await dialog.getByLabel("Key", { exact: true }).fill("plan");
    await dialog.getByText("Another column already uses this key.").waitFor();
    await dialog.getByLabel("Key", { exact: true }).fill("headcount");
    await checkPage(page, "a column");
    await dialog.getByRole("button", { name: "Done" }).click();
    await columns.getByRole("button", { name: "Move up: Seats" }).click();
    await columns.getByRole("button", { name: "Delete: Extra" }).click();
    await columns.getByText("will be deleted").waitFor();
    await page.mouse.move(0, 0);
    await checkPage(page, "unsaved columns");
    await bar.getByRole("button", { name: "Save changes" }).click();
    const sure = page.getByRole("dialog", { name: "Delete columns and their values?" });
    await sure.getByText("Extra").waitFor();
    await sure.getByRole("button", { name: "Delete and save" }).click();
    await said(page, "Saved");
    await bar.waitFor({ state: "detached" });
    const keys = (await shown()).columns.map((column) => column.key);
    assert.deepEqual(keys.slice(3, 5), ["headcount", "phone"]);
    assert.ok(!keys.includes("extra"));

    await columns.getByRole("button", { name: "Edit: Contact" }).click();
    await dialog.getByLabel("Required").click({ force: true });
    await dialog.getByRole("button", { name: "Done" }).click();
    await bar.getByRole("button", { name: "Save changes" }).click();
    await page.getByText("Some rows do not fit", { exact: true }).waitFor();
    await checkPage(page, "rows that do not fit");
    await page.getByRole("link", { name: "Show these rows" }).last().click();
    await cell(page, 0, "domain").getByText("blank.example").waitFor();
    await page.getByText("1 row", { exact: true }).waitFor();
    await page.getByText("The last change failed").waitFor();
    await cell(page, 0, "contact").dblclick();
    await page.getByRole("textbox", { name: "Contact" }).fill("blank@example.org");
    await page.keyboard.press("Enter");
    await cell(page, 0, "contact").getByText("blank@example.org").waitFor();
    // The refused change is still there, and leaving asks for confirmation.
    await page.getByRole("link", { name: "Dashboard" }).click();
    const leaving = page.getByRole("dialog", { name: "Leave without saving?" });
    await leaving.waitFor();
    await checkPage(page, "leaving");
    await leaving.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("tab", { name: "Columns" }).click();
    await bar.getByRole("button", { name: "Save changes" }).click();
    await said(page, "Saved");
    await bar.waitFor({ state: "detached" });
    assert.equal((await shown()).columns.find((column) => column.key === "contact")?.required, true);
    await columns
      .getByRole("button", { name: "Move up: Headcount" })
      .or(columns.getByRole("button", { name: "Move up: Seats" }))
      .first()
      .click();
    await page.getByRole("link", { name: "Dashboard" }).click();
    await leaving.getByRole("button", { name: "Leave" }).click();
    await page.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor();
    await page.goBack();

    await page.getByRole("tab", { name: "API" }).click();
    await page.getByText(`${the.baseUrl}/api/v1/datasets/companies/rows?limit=50`).waitFor();
    await checkPage(page, "api");
    const call = await page.getByRole("region", { name: "Add or update rows" }).locator("code").innerText();
    assert.match(call, /"mode":"upsert"/);

    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete dataset" }).click();
    const gone = page.getByRole("dialog", { name: "Delete this dataset?" });
    await gone.getByText("7 rows").waitFor();
    await gone.getByText(/no longer be shown with leads/).waitFor();
    await checkPage(page, "deleting");
    await gone.getByRole("button", { name: "Delete dataset" }).click();
    await said(page, "Dataset deleted");
    await page.getByText("No datasets yet").waitFor();
    assert.equal((await key.send("GET", "/api/v1/datasets/companies")).status, 404);
  },
);

large(
  "a row's dialog opens and starts again in its first field, whose list opens when something is typed",
  async () => {
    await using the = await panelWorld();
    const key = await the.key(["datasets:read", "datasets:write"]);
    const options = ["Basic", "Pro", "Team", "Free", "Trial", "Partner", "Reseller", "Internal"];
    const made = await key.send("POST", "/api/v1/datasets", {
      key: "plans",
      name: "Plans",
      columns: [
        { key: "plan", label: "Plan", type: "enum", options },
        { key: "name", label: "Name", type: "text" },
      ],
    });
    const { id } = (await made.json()) as { id: string };
    const page = await the.open(`datasets/${id}`);
    await page.getByRole("button", { name: "Add row" }).first().click();
    await dialogHasFocus(page);
    assert.equal(await page.getByRole("option").count(), 0, "the list is closed");
    await page.getByLabel("Add another").check();
    await page.getByRole("combobox", { name: "Plan" }).focus();
    for (const plan of ["Reseller", "Trial"]) {
      assert.equal(await page.getByRole("option").count(), 0, "the list is closed");
      await page.keyboard.type(plan.slice(0, 3));
      await page.getByRole("option", { name: plan }).waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").getByRole("button", { name: "Add row" }).click();
      await page.locator("[role=combobox]:focus[value='']").waitFor();
    }
    assert.deepEqual(await stored(the), [{ c1: "Reseller" }, { c1: "Trial" }]);
  },
);
