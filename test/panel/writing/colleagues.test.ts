import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { large } from "../../large.ts";
import { companies } from "../support/datasets-seed.ts";
import { livedLead } from "../support/lead-seed.ts";
import { dialogHasFocus, panelWorld } from "../support/panel.ts";

const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
const conflictOn = (page: Page) => page.getByRole("dialog", { name: "Someone else changed this field" });

large(
  "an editor that was open before a colleague's change and one's own other change still asks whose value stays",
  async () => {
    await using the = await panelWorld();
    const { key, id } = await livedLead(the);
    const page = await the.open(`leads/${id}`);
    await page.getByRole("button", { name: "Edit: City", exact: true }).click();
    const city = page.getByRole("textbox", { name: "City", exact: true });
    await city.fill("Natal");
    await key.send("PATCH", `/api/v1/leads/${id}`, { city: "Lisboa" });
    await page.getByRole("group", { name: "Status" }).getByRole("button", { name: "qualified" }).click();
    await said(page, "Status changed to qualified");
    await city.press("Enter");
    await conflictOn(page).getByText("Lisboa").waitFor();
    await conflictOn(page).getByRole("button", { name: "Keep current" }).click();
    assert.deepEqual(await the.sql("SELECT city, status FROM store.lead WHERE id = $1", [id]), [
      { city: "Lisboa", status: "qualified" },
    ]);
  },
);

test("undoing a change of a fact keeps what a colleague changed since and names it, whatever else was changed and read", async () => {
  await using the = await panelWorld();
  const { key, id } = await livedLead(the);
  const page = await the.open(`leads/${id}`);
  await page.getByRole("button", { name: "Edit: City", exact: true }).click();
  await page.getByRole("textbox", { name: "City", exact: true }).fill("Recife");
  await page.keyboard.press("Enter");
  const undo = page.getByRole("button", { name: "Undo" });
  await undo.waitFor();
  // the message stays while the pointer is on it
  await undo.hover();
  await key.send("PATCH", `/api/v1/leads/${id}`, { city: "Lisboa" });
  // a note reads the lead again; it is added without the pointer
  await page.getByPlaceholder(/note/i).first().fill("Call back");
  await page.getByRole("button", { name: "Add note" }).dispatchEvent("click");
  await page.getByText("Lisboa").first().waitFor();
  await undo.first().click();
  await said(page, /^Nothing was undone. This was kept: 1 lead that .?test.? changed since/);
  assert.deepEqual(await the.sql("SELECT city FROM store.lead WHERE id = $1", [id]), [{ city: "Lisboa" }]);
});

large(
  "a row's dialog saves its columns although a colleague changed others, and not over what they changed too",
  async () => {
    await using the = await panelWorld();
    const { key, id } = await companies(the, 1);
    const page = await the.open(`datasets/${id}`);
    const found = await key.send("POST", `/api/v1/datasets/${id}/query`, {});
    const { rows } = (await found.json()) as { rows: { _id: string }[] };
    const change = async (body: object) =>
      assert.equal(
        (await key.send("PATCH", `/api/v1/datasets/${id}/rows/${rows[0]?._id}`, body)).status,
        200,
      );
    await page.getByRole("button", { name: "Open row: company-0.example" }).click();
    const dialog = page.getByRole("dialog");
    await dialogHasFocus(page);
    await dialog.getByLabel("Company").fill("Mine");
    await change({ seats: 77 });
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText("Mine", { exact: true }).first().waitFor();
    await page.getByText("77", { exact: true }).first().waitFor();

    await page.getByRole("button", { name: "Open row: company-0.example" }).click();
    await dialogHasFocus(page);
    await dialog.getByLabel("Company").fill("Mine again");
    await change({ name: "Theirs" });
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText(/Someone else has changed this row/).waitFor();
    const now = await key.send("POST", `/api/v1/datasets/${id}/query`, {});
    const { rows: after } = (await now.json()) as { rows: { name: string; seats: number }[] };
    assert.deepEqual([after[0]?.name, after[0]?.seats], ["Theirs", 77]);
  },
);
