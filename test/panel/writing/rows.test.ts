import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { large } from "../../large.ts";
import { companies } from "../support/datasets-seed.ts";
import { seedLeads } from "../support/leads-world.ts";
import { panelWorld } from "../support/panel.ts";
import { away, editorIn } from "../support/writing.ts";

const cell = (page: Page, lead: string, column: string) =>
  page.getByRole("row").filter({ hasText: lead }).locator(`[data-column="${column}"]`);
const said = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();

large(
  "text in a cell whose row is scrolled away is still there, is not saved by accident and is not forgotten",
  async () => {
    await using the = await panelWorld();
    await seedLeads(the, 200);
    const { id } = await companies(the, 120);
    const as = await editorIn(the);
    const far = async (page: Page, editor: Locator) => {
      await page.evaluate("document.querySelector('[role=grid]').scrollTop = 3500");
      await editor.waitFor({ state: "detached" });
      await page.evaluate("document.querySelector('[role=grid]').scrollTop = 0");
    };
    const page = await the.open("leads", { as });
    await said(page, "Ana Almeida 1");
    await cell(page, "Ana Almeida 1", "company").dblclick();
    const editor = page.getByRole("textbox", { name: "Company" });
    await editor.fill("Nova Casa");
    await far(page, editor);
    await page.getByText("Not saved:").waitFor();
    await editor.waitFor();
    assert.equal(await editor.inputValue(), "Nova Casa");
    await editor.press("Enter");
    await page.locator("td[data-unsaved]").waitFor({ state: "detached" });
    await cell(page, "Ana Almeida 1", "company").getByText("Nova Casa").waitFor();

    const rows = await the.open(`datasets/${id}`, { as });
    const first = rows.locator('[data-row="0"] [data-column="name"]');
    await first.dblclick();
    const name = rows.getByRole("textbox", { name: "Company" });
    await name.fill("Porto Novo");
    await far(rows, name);
    await rows.getByText("Not saved:").waitFor();
    await name.waitFor();
    assert.equal(await name.inputValue(), "Porto Novo");
    const saved = rows.waitForResponse((answer) => answer.request().method() === "PATCH" && answer.ok());
    await name.press("Enter");
    await saved;
  },
);

test("deleted rows come back as they were when they were deleted, also when the first try of the undo fails", async () => {
  await using the = await panelWorld();
  const { key, id } = await companies(the, 3);
  const page = await the.open(`datasets/${id}`);
  await page.getByText("company-0.example", { exact: true }).first().waitFor();
  const found = await key.send("POST", `/api/v1/datasets/${id}/query`, {});
  const { rows } = (await found.json()) as { rows: { _id: string; domain: string }[] };
  const row = rows.find(({ domain }) => domain === "company-0.example");
  const changed = await key.send("PATCH", `/api/v1/datasets/${id}/rows/${row?._id}`, { name: "Newer" });
  assert.equal(changed.status, 200);
  await page.getByRole("checkbox", { name: "Select: company-0.example" }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  const undo = page.getByRole("button", { name: "Undo" });
  await undo.waitFor();
  await undo.hover();
  const back = await away(page, "/undo");
  await undo.click();
  const again = page.getByRole("alert").getByRole("button", { name: "Try again" });
  await again.waitFor();
  await back();
  await again.click();
  await page.getByText("Newer", { exact: true }).first().waitFor();
  assert.equal(
    (
      await the.sql("SELECT FROM store.dataset_row WHERE project_id = $1 AND cells::text LIKE '%Newer%'", [
        the.project.id,
      ])
    ).length,
    1,
  );
});

large("Edit in the bar of what is not saved opens the list of a choice", async () => {
  await using the = await panelWorld();
  await seedLeads(the, 5);
  const page = await the.open("leads");
  const status = page.getByRole("row").filter({ hasText: "Ana Almeida 1" }).locator('[data-column="status"]');
  await status.waitFor();
  const writes = (url: URL) => url.pathname.includes("/v1/leads/lead_");
  await page.route(writes, (route) => route.abort("connectionrefused"));
  await status.dblclick();
  await page.getByRole("option", { name: "lost" }).click();
  const bar = page.getByRole("alert", { name: "Not saved" });
  await bar.waitFor();
  await page.unroute(writes);
  assert.equal(await page.getByRole("option").count(), 0);
  await bar.getByRole("button", { name: "Edit" }).click();
  const saved = page.waitForResponse(
    (response) => writes(new URL(response.url())) && response.request().method() === "PATCH",
  );
  await page.getByRole("option", { name: "won" }).click();
  assert.equal((await saved).status(), 200);
  await bar.waitFor({ state: "detached" });
  assert.equal(
    (
      await the.sql(
        "SELECT FROM store.lead WHERE project_id = $1 AND name = 'Ana Almeida 1' AND status = 'won'",
        [the.project.id],
      )
    ).length,
    1,
  );
});
