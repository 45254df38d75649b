import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { seedLeads } from "../support/leads-world.ts";
import { checkPage, type PanelWorld, PHONE, panelWorld } from "../support/panel.ts";

const said = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();
const bar = (page: Page) => page.getByRole("region", { name: "Change selected leads" });
/** Keeps the message with the undo on the screen: it stays while the pointer is on it. */
const holdUndo = (page: Page) => page.getByRole("button", { name: "Undo" }).hover();
const idOf = (n: number) => `lead_${n.toString(16).padStart(26, "0")}`;
const statusOf = async (the: PanelWorld, n: number) => {
  const [row] = await the.sql<{ status: string }>("SELECT status FROM store.lead WHERE id = $1", [idOf(n)]);
  return row?.status;
};
const colleague = (the: PanelWorld, n: number, status: string) =>
  the.sql("UPDATE store.lead SET status = $2, version = version + 1 WHERE id = $1", [idOf(n), status]);

async function chooseStatus(page: Page, status: string) {
  await bar(page).getByRole("button", { name: "Status" }).click();
  await page.getByRole("dialog").getByLabel("New status").click();
  await page.getByRole("option", { name: status }).click();
}

test("a change of all that match says before and after that it cannot be undone, and asks for their number", async () => {
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
  const change = dialog.getByRole("button", { name: "Change 1,299 leads" });
  const typed = dialog.getByLabel("Type 1,299 to confirm");
  await typed.waitFor();
  await dialog.getByText("This cannot be undone.").waitFor();
  assert.ok(await change.isDisabled());
  await checkPage(page, "the number is asked for");
  await typed.fill("129");
  assert.ok(await change.isDisabled());
  await page.keyboard.press("Enter");
  await typed.fill("1.299");
  assert.ok(await change.isEnabled());
  assert.equal((await the.sql("SELECT FROM store.lead WHERE owner_id IS NOT NULL")).length, 0);
  await change.click();
  await said(page, "1,299 leads changed. This cannot be undone.");
  assert.equal(await page.getByRole("button", { name: "Undo" }).count(), 0);
  assert.equal((await the.sql("SELECT FROM store.lead WHERE owner_id IS NOT NULL")).length, 1_299);
});

test("undoing a bulk change leaves alone what a colleague changed since, and names it", async () => {
  await using the = await panelWorld();
  await seedLeads(the, 12);
  const page = await the.open("leads");
  await said(page, "12 leads");
  for (const name of ["Ana Almeida 1", "Bruno Barros 2", "Clara Castro 3"])
    await page.getByRole("checkbox", { name: `Select: ${name}` }).click();
  await chooseStatus(page, "lost");
  await page.getByText("You can undo this afterwards.").waitFor();
  await page.getByRole("button", { name: "Change 3 leads" }).click();
  await said(page, "3 leads changed");
  await holdUndo(page);
  await colleague(the, 2, "won");
  await page.getByRole("button", { name: "Undo" }).click();
  await page
    .getByText(
      /^2 leads changed back\. 1 lead was changed by someone since and not changed back: .*Bruno Barros 2.*\.$/,
    )
    .waitFor();
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
  await said(page, "Change undone");
  assert.equal(await statusOf(the, 2), "won");
});

test("all that match can be undone while they are few; an undo whose answer was lost is not taken for another's change", async () => {
  await using the = await panelWorld();
  await seedLeads(the, 120);
  const page = await the.open("leads?q=ana", { size: PHONE });
  await said(page, "12 leads");
  const before = await the.sql("SELECT id, tags FROM store.lead ORDER BY id");
  await page.getByRole("checkbox").first().click();
  await bar(page).getByRole("button", { name: "Select all 12 matching leads" }).click();
  await bar(page).getByRole("button", { name: "Add tags" }).click();
  await page.getByRole("dialog").getByLabel("Tags").fill("spring");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Change 12 leads" }).click();
  await said(page, "12 leads changed");
  await holdUndo(page);
  assert.equal((await the.sql("SELECT FROM store.lead WHERE 'spring' = ANY (tags)")).length, 12);
  const bulk = (url: URL) => url.pathname.endsWith("/v1/leads/bulk");
  await page.route(bulk, async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  });
  await page.getByRole("button", { name: "Undo" }).click();
  const again = page.getByRole("alert").getByRole("button", { name: "Try again" });
  await again.waitFor();
  await page.unroute(bulk);
  await again.click();
  await said(page, "Change undone");
  assert.deepEqual(await the.sql("SELECT id, tags FROM store.lead ORDER BY id"), before);
});

test("a bulk change whose answer was lost can be undone", async () => {
  await using the = await panelWorld();
  await seedLeads(the, 12);
  const page = await the.open("leads");
  await said(page, "12 leads");
  const before = [await statusOf(the, 1), await statusOf(the, 2)];
  for (const name of ["Ana Almeida 1", "Bruno Barros 2"])
    await page.getByRole("checkbox", { name: `Select: ${name}` }).click();
  await chooseStatus(page, "lost");
  const search = (url: URL) => url.pathname.endsWith("/v1/leads/search");
  const bulk = (url: URL) => url.pathname.endsWith("/v1/leads/bulk");
  let isLost = false;
  await page.route(bulk, async (route) => {
    if (route.request().postDataJSON().dry_run === true) return await route.continue();
    await route.fetch();
    isLost = true;
    await route.abort("connectionreset");
  });
  // the service stays away: what was done cannot be read at once either
  await page.route(search, (route) => (isLost ? route.abort("connectionreset") : route.continue()));
  await page.getByRole("button", { name: "Change 2 leads" }).click();
  await page
    .getByRole("alert")
    .getByText(/Cannot reach the service/)
    .first()
    .waitFor();
  assert.equal(await statusOf(the, 1), "lost");
  await page.unroute(search);
  await page.unroute(bulk);
  const again = page.getByRole("alert").getByRole("button", { name: "Try again" });
  await again.click();
  await said(page, "2 leads changed");
  await page.getByRole("button", { name: "Undo" }).click();
  await said(page, "Change undone");
  assert.deepEqual([await statusOf(the, 1), await statusOf(the, 2)], before);
});

test("a filter as deep as filters may be changes its leads as well, with an undo", async () => {
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
  assert.equal((await the.sql("SELECT FROM store.lead WHERE status = 'lost'")).length, 120);
});
