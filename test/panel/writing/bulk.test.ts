import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { large } from "../../large.ts";
import { seedLeads } from "../support/leads-world.ts";
import { checkPage, type PanelWorld, PHONE, panelWorld } from "../support/panel.ts";

const said = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();
const bar = (page: Page) => page.getByRole("region", { name: "Change selected leads" });
/** Keeps the message with the undo on the screen: it stays while the pointer is on it. */
const holdUndo = (page: Page) => page.getByRole("button", { name: "Undo" }).hover();
const idOf = (n: number) => `lead_${n.toString(16).padStart(26, "0")}`;
const statusOf = async (the: PanelWorld, n: number) => {
  const [row] = await the.sql<{ status: string }>(
    "SELECT status FROM store.lead WHERE id = $1 AND project_id = $2",
    [idOf(n), the.project.id],
  );
  return row?.status;
};
const colleague = (the: PanelWorld, n: number, status: string) =>
  the.sql("UPDATE store.lead SET status = $3, version = version + 1 WHERE project_id = $1 AND id = $2", [
    the.project.id,
    idOf(n),
    status,
  ]);

async function chooseStatus(page: Page, status: string) {
  await bar(page).getByRole("button", { name: "Status" }).click();
  await page.getByRole("dialog").getByLabel("New status").click();
  await page.getByRole("option", { name: status }).click();
}

test("a change of all that match is one change at any size: it says before that it can be undone, and is", async () => {
  await using the = await panelWorld();
  await seedLeads(the, 1_299);
  const page = await the.open("leads");
  await said(page, "1,299 leads");
  await page.getByRole("checkbox", { name: "Select all loaded leads" }).click();
  await bar(page).getByRole("button", { name: "Select all 1,299 matching leads" }).click();
  await bar(page).getByRole("button", { name: "Owner" }).click();
  await page.getByRole("dialog").getByLabel("New owner").click();
  await page.getByRole("option", { name: the.person.name }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("1,299 leads will change.").waitFor();
  await dialog.getByText("You can undo this afterwards.").waitFor();
  await checkPage(page, "before a change of all");
  await dialog.getByRole("button", { name: "Change 1,299 leads" }).click();
  await said(page, "1,299 leads changed");
  await holdUndo(page);
  assert.equal(
    (await the.sql("SELECT FROM store.lead WHERE project_id = $1 AND owner_id IS NOT NULL", [the.project.id]))
      .length,
    1_299,
  );
  assert.equal((await the.sql("SELECT FROM store.change WHERE project_id = $1", [the.project.id])).length, 1);
  await page.getByRole("button", { name: "Undo" }).click();
  await said(page, "Undone");
  assert.equal(
    (await the.sql("SELECT FROM store.lead WHERE project_id = $1 AND owner_id IS NOT NULL", [the.project.id]))
      .length,
    0,
  );
});

test("deleted leads have a list of their own, which follows deletions, is filtered, edits nothing, and restores what is selected", async () => {
  await using the = await panelWorld();
  await seedLeads(the, 6);
  const key = await the.key(["leads:read", "leads:write"]);
  const remove = async (n: number) =>
    assert.equal((await key.send("DELETE", `/api/v1/leads/${idOf(n)}`)).status, 204);
  const page = await the.open("leads");
  await said(page, "6 leads");
  const tabs = page.getByRole("navigation", { name: "Views" });
  await tabs.getByRole("link", { name: "Deleted" }).click();
  await said(page, "No deleted leads");
  for (const n of [1, 2, 3]) await remove(n);
  await said(page, "3 leads");
  await page.getByRole("columnheader", { name: "Deleted" }).waitFor();
  await checkPage(page, "deleted leads");
  assert.equal(await page.getByRole("button", { name: "Download as CSV" }).count(), 0);
  await page.locator('[data-row="0"] [data-column="email"]').dblclick();
  assert.equal(await page.getByRole("grid").getByRole("textbox").count(), 0);
  const search = page.getByLabel("Search by name, e-mail, phone or company");
  await search.fill("Almeida");
  await said(page, "1 lead");
  await page.getByRole("grid").getByRole("link").first().click();
  await page.getByRole("link", { name: "Back" }).click();
  await search.fill("");
  await said(page, "3 leads");
  await page.getByRole("checkbox", { name: "Select all loaded leads" }).click();
  await bar(page).getByRole("button", { name: "Restore" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("3 leads will be restored.").waitFor();
  await dialog.getByRole("button", { name: "Restore 3 leads" }).click();
  await said(page, "3 leads restored");
  await said(page, "No deleted leads");
  await page.getByRole("button", { name: "Undo" }).click();
  await said(page, "3 leads");
  await tabs.getByRole("link", { name: "All leads" }).click();
  await page.getByRole("columnheader", { name: "Deleted" }).waitFor({ state: "detached" });
  await said(page, "3 leads");
});

test("undoing a bulk change leaves alone what a colleague changed since, and names it", async () => {
  await using the = await panelWorld();
  await seedLeads(the, 12);
  const page = await the.open("leads");
  await said(page, "12 leads");
  await page.getByRole("checkbox", { name: "Select: Ana Almeida 1" }).click();
  await page.getByRole("checkbox", { name: "Select: Clara Castro 3" }).click({ modifiers: ["Shift"] });
  await chooseStatus(page, "lost");
  await page.getByText("You can undo this afterwards.").waitFor();
  await page.getByRole("button", { name: "Change 3 leads" }).click();
  await said(page, "3 leads changed");
  await holdUndo(page);
  await colleague(the, 2, "won");
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText(/^Undone, except 1 lead that someone changed since \(.?Bruno Barros 2.?\)$/).waitFor();
  await checkPage(page, "an undo that left something");
  assert.deepEqual(
    [await statusOf(the, 1), await statusOf(the, 2), await statusOf(the, 3)],
    ["contacted", "won", "won"],
  );
});

test("undoing a bulk change brings back what the service had, not what an old list showed", async () => {
  await using the = await panelWorld();
  await seedLeads(the, 12);
  const page = await the.open("leads");
  await said(page, "12 leads");
  await colleague(the, 2, "won");
  await page.getByRole("checkbox", { name: "Select: Bruno Barros 2" }).click();
  await chooseStatus(page, "lost");
  await page.getByRole("button", { name: "Change 1 lead", exact: true }).click();
  await said(page, "1 lead changed");
  await holdUndo(page);
  assert.equal(await statusOf(the, 2), "lost");
  await page.getByRole("button", { name: "Undo" }).click();
  await said(page, "Undone");
  assert.equal(await statusOf(the, 2), "won");
});

test("an undo whose answer was lost is not done twice, and is reported when it is tried again", async () => {
  await using the = await panelWorld();
  await seedLeads(the, 120);
  const page = await the.open("leads?q=ana", { size: PHONE });
  await said(page, "12 leads");
  const before = await the.sql("SELECT id, tags FROM store.lead WHERE project_id = $1 ORDER BY id", [
    the.project.id,
  ]);
  await page.getByRole("checkbox").first().click();
  await bar(page).getByRole("button", { name: "Select all 12 matching leads" }).click();
  await bar(page).getByRole("button", { name: "Add tags" }).click();
  await page.getByRole("dialog").getByLabel("Tags").fill("spring");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Change 12 leads" }).click();
  await said(page, "12 leads changed");
  await holdUndo(page);
  assert.equal(
    (
      await the.sql("SELECT FROM store.lead WHERE project_id = $1 AND 'spring' = ANY (tags)", [
        the.project.id,
      ])
    ).length,
    12,
  );
  const undo = (url: URL) => url.pathname.endsWith("/undo");
  await page.route(undo, async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  });
  await page.getByRole("button", { name: "Undo" }).click();
  const again = page.getByRole("alert").getByRole("button", { name: "Try again" });
  await again.waitFor();
  await page.unroute(undo);
  await again.click();
  await said(page, "Undone");
  assert.deepEqual(
    await the.sql("SELECT id, tags FROM store.lead WHERE project_id = $1 ORDER BY id", [the.project.id]),
    before,
  );
});

large("a bulk change whose answer was lost can be undone", async () => {
  await using the = await panelWorld();
  await seedLeads(the, 12);
  const page = await the.open("leads");
  await said(page, "12 leads");
  const before = [await statusOf(the, 1), await statusOf(the, 2)];
  for (const name of ["Ana Almeida 1", "Bruno Barros 2"])
    await page.getByRole("checkbox", { name: `Select: ${name}` }).click();
  await chooseStatus(page, "lost");
  const bulk = (url: URL) => url.pathname.endsWith("/v1/leads/bulk");
  await page.route(bulk, async (route) => {
    if (route.request().postDataJSON().dry_run === true) return await route.continue();
    await route.fetch();
    await route.abort("connectionreset");
  });
  await page.getByRole("button", { name: "Change 2 leads" }).click();
  await page
    .getByRole("alert")
    .getByText(/Cannot reach the service/)
    .first()
    .waitFor();
  assert.equal(await statusOf(the, 1), "lost");
  await page.unroute(bulk);
  const again = page.getByRole("alert").getByRole("button", { name: "Try again" });
  await again.click();
  await said(page, "2 leads changed");
  await page.getByRole("button", { name: "Undo" }).click();
  await said(page, "Undone");
  assert.deepEqual([await statusOf(the, 1), await statusOf(the, 2)], before);
});

large("a filter as deep as filters may be changes its leads as well, with an undo", async () => {
  await using the = await panelWorld();
  await seedLeads(the, 120);
  let filter: object = { field: "city", op: "neq", value: "Nowhere" };
  for (let depth = 1; depth <= 8; depth += 1) filter = { [depth % 2 === 0 ? "and" : "or"]: [filter] };
  const page = await the.open(`leads?filter=${encodeURIComponent(JSON.stringify(filter))}`);
  await said(page, "120 leads");
  await page.getByRole("checkbox", { name: "Select: Ana Almeida 1" }).click();
  await bar(page).getByRole("button", { name: "Select all 120 matching leads" }).click();
  await chooseStatus(page, "lost");
  await page.getByText("You can undo this afterwards.").waitFor();
  await page.getByRole("button", { name: /^Change \d+ leads$/ }).click();
  await page.getByRole("button", { name: "Undo" }).waitFor();
  assert.equal(
    (await the.sql("SELECT FROM store.lead WHERE project_id = $1 AND status = 'lost'", [the.project.id]))
      .length,
    120,
  );
});
