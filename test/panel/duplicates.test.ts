import assert from "node:assert/strict";
import { test } from "node:test";
import { large } from "../large.ts";
import { livedLead, makeLead } from "./support/lead-seed.ts";
import { checkPage, PHONE, panelWorld } from "./support/panel.ts";

test("two leads are compared, merged as chosen, and taken apart again", async () => {
  await using the = await panelWorld();
  const { id, twin } = await livedLead(the);
  const page = await the.open("duplicates");
  const group = page.getByRole("region", { name: "Same e-mail: marina.duarte@aurora.example" });
  await group.getByText("2 leads").waitFor();
  await checkPage(page, "groups");
  await group.getByRole("button", { name: "Compare and merge" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("enterprise, referral, and event").waitFor();
  assert.equal(await dialog.getByRole("radio", { name: "Job title: Empty" }).isEnabled(), false);
  await dialog.getByRole("radio", { name: "Company: Aurora", exact: true }).click();
  await checkPage(page, "comparing");
  await dialog.getByRole("button", { name: "Merge" }).click();
  await page.getByText("No duplicates").waitFor();
  // The message with "Undo" stays for as long as the pointer is on it.
  await page.getByRole("button", { name: "Undo" }).hover();
  await checkPage(page, "none");
  const [merged] = await the.sql<{ company: string; city: string; tags: string[] }>(
    "SELECT company, city, tags FROM store.lead WHERE id = $1",
    [id],
  );
  assert.deepEqual(merged, {
    company: "Aurora",
    city: "Campinas",
    tags: ["enterprise", "referral", "event"],
  });
  await page.getByRole("button", { name: "Undo" }).click();
  await group.getByText("2 leads").waitFor();
  assert.equal(
    (await the.sql("SELECT FROM store.lead WHERE id = $1 AND merged_into_id IS NULL", [twin])).length,
    1,
  );
});

large("from a lead, the other one may be kept; the screen continues with it", async () => {
  await using the = await panelWorld();
  const { id, twin } = await livedLead(the);
  const page = await the.open(`leads/${id}`);
  await page.getByRole("region", { name: "This may be a duplicate" }).getByText("Same e-mail").waitFor();
  await page.getByRole("button", { name: "Compare and merge" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "Keeps its ID and URL" }).nth(1).click();
  await dialog.getByRole("button", { name: "Merge" }).click();
  await page.getByRole("heading", { level: 1, name: "Marina D." }).waitFor();
  assert.ok(page.url().includes(twin));
  await page.getByRole("region", { name: "Timeline" }).getByText("from a merged lead").first().waitFor();
});

test("a viewer sees groups on a phone, in Portuguese, with hostile names, and merges nothing", async () => {
  await using the = await panelWorld();
  const key = await the.key(["leads:read", "leads:write"]);
  for (const name of [`<img src=x onerror=alert(1)>`, "\u202eevil", "x".repeat(500)])
    await makeLead(key, { name, company: name, phone: "+5511987654321" });
  const viewer = await the.newPerson("Vera");
  await the.join(viewer, the.project.id, "viewer");
  const page = await the.open("duplicates?by=phone", { as: viewer, size: PHONE, language: "pt-BR" });
  page.on("dialog", () => assert.fail("a script ran"));
  await page.getByText("3 leads").waitFor();
  await page.getByText("Você precisa do papel de Editor para mesclar duplicados.").waitFor();
  assert.equal(await page.getByRole("button", { name: "Comparar" }).count(), 0);
  await checkPage(page);
  assert.equal(await page.locator("img[src=x]").count(), 0);
});
