import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page, Request } from "playwright-core";
import { large } from "../large.ts";
import { makeLead } from "../panel/support/lead-seed.ts";
import { seedLeads } from "../panel/support/leads-world.ts";
import { type PanelWorld, PHONE, panelWorld } from "../panel/support/panel.ts";

const MOST_BYTES = 30 * 1_024;
const USUAL = "name company status value email phone source owner_id tags created_at".split(" ");
/** What a list needs of a lead whatever it shows: the version, its possible names, and parts of columns. */
const NEEDED = "id version display_name phone_e164 external_id currency".split(" ");
/** What the first page is looked at for, to find the columns that suit a project. */
const CANDIDATES = ["campaign", "custom"];

const cell = (page: Page, lead: string, column: string) =>
  page.getByRole("row").filter({ hasText: lead }).locator(`[data-column="${column}"]`);

/** Leads as people have them: most fields have a value, and a few custom ones. */
async function realisticLeads(the: PanelWorld, count: number): Promise<void> {
  await seedLeads(the, count);
  await the.sql(
    `UPDATE store.lead SET first_name = split_part(name, ' ', 1), last_name = split_part(name, ' ', 2), job_title = 'Head of Operations',
       website = 'https://www.example.org/' || md5(id), city = 'São Paulo', state = 'SP', country = 'BR', language = 'pt-BR',
       medium = 'cpc', campaign = 'spring ' || md5(id), utm_source = 'google', utm_medium = 'cpc', utm_campaign = 'spring',
       utm_term = md5(id || 'term'), utm_content = md5(id || 'content'), first_touch = created_at, last_touch = now(),
       landing_page = 'https://www.example.org/landing/' || md5(id || 'page') || '?utm_source=google&utm_medium=cpc&gclid=' || md5(id || 'click'),
       consent_status = 'granted', consent_basis = 'form', consent_at = created_at,
       custom = ('{"plan": "gold", "seats": ' || length(name)::text || ', "notes": "Called twice. ' || md5(id || 'notes') || '"}')::jsonb`,
  );
}

const asksOf = (page: Page): Request[] => {
  const asks: Request[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/leads/search")) asks.push(request);
  });
  return asks;
};

const fieldsOf = (request: Request | undefined): string[] =>
  ((request?.postDataJSON() ?? {}) as { fields?: string[] }).fields ?? [];

test("the first page of the table asks for the shown columns, and is less than 30 KB on the wire", async (t) => {
  await using the = await panelWorld();
  await realisticLeads(the, 50);
  const page = await the.open("settings/statuses");
  const asks = asksOf(page);
  await page.getByRole("link", { name: "Leads", exact: true }).click();
  await page.getByText("Ana Almeida 1", { exact: true }).waitFor();
  const [first] = asks;
  assert.ok(first !== undefined);
  assert.deepEqual(fieldsOf(first).toSorted(), [...USUAL, ...NEEDED, ...CANDIDATES].toSorted());
  const answer = await first.response();
  assert.ok(answer !== null);
  assert.equal(((await answer.json()) as { leads: unknown[] }).leads.length, 50);
  assert.equal(await answer.headerValue("content-encoding"), "gzip");
  const { responseBodySize } = await first.sizes();
  t.diagnostic(`${responseBodySize} bytes for 50 leads`);
  assert.ok(responseBodySize < MOST_BYTES, `it is ${responseBodySize} bytes`);
});

large("a column that is switched on appears with its values, and the list stays where it is", async () => {
  await using the = await panelWorld();
  await realisticLeads(the, 300);
  const page = await the.open("leads");
  await page.getByText("Ana Almeida 1", { exact: true }).waitFor();
  const grid = page.getByRole("grid", { name: "Leads, one per row" });
  await grid.hover();
  for (let i = 0; (await page.getByText("Ana Almeida 161", { exact: true }).count()) === 0; i += 1) {
    assert.ok(i < 300, "the rows did not come");
    await page.mouse.wheel(0, 400);
    await page.waitForTimeout(20);
  }
  const asks = asksOf(page);
  // a frame in which the column is there without values would be noted
  await page.evaluate(`window.gaps = 0; (function look() {
    const cells = [...document.querySelectorAll("[data-column=job_title]")];
    if (cells.some((cell) => cell.textContent === "" && cell.checkVisibility())) window.gaps += 1;
    requestAnimationFrame(look);
  })()`);
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("checkbox", { name: "Job title" }).check();
  await cell(page, "Ana Almeida 161", "job_title").getByText("Head of Operations").waitFor();
  assert.equal(await page.evaluate("window.gaps"), 0);
  assert.ok(asks.length > 0);
  for (const ask of asks) assert.ok(fieldsOf(ask).includes("job_title"));
  await page.keyboard.press("Escape");
  // rows that were read before the column was switched on
  await grid.hover();
  for (let i = 0; (await page.getByText("Ana Almeida 1", { exact: true }).count()) === 0; i += 1) {
    assert.ok(i < 300);
    await page.mouse.wheel(0, -2_000);
    await page.waitForTimeout(20);
  }
  await cell(page, "Bruno Barros 2", "job_title").getByText("Head of Operations").waitFor();
});

test("a cell of a column that was switched on is edited and saved; what a list did not read of a lead is never lost", async () => {
  await using the = await panelWorld();
  const key = await the.key(["leads:read", "leads:write"]);
  const id = await makeLead(key, { name: "Ana Souza", city: "Recife", job_title: "Buyer" });
  const page = await the.open("leads");
  await page.getByText("Ana Souza", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("checkbox", { name: "Job title" }).check();
  await page.keyboard.press("Escape");
  const title = page.locator(`[id="cell-${id}-job_title"]`);
  await title.getByText("Buyer").waitFor();
  await title.dblclick();
  await page.getByRole("textbox", { name: "Job title" }).fill("Head of Buying");
  await page.keyboard.press("Enter");
  await title.getByText("Head of Buying").waitFor();
  await page.locator("[data-unsaved]").waitFor({ state: "detached" });
  await key.send("PATCH", `/api/v1/leads/${id}`, { city: "Olinda" });
  const lead = (await (await key.send("GET", `/api/v1/leads/${id}`)).json()) as Record<string, unknown>;
  assert.deepEqual([lead.city, lead.job_title], ["Olinda", "Head of Buying"]);
  await page.getByRole("link", { name: "Ana Souza" }).click();
  await page.getByText("Olinda").first().waitFor();
});

test("on a phone the list asks only for what its cards show", async () => {
  await using the = await panelWorld();
  await seedLeads(the, 5);
  const page = await the.open("leads", { size: PHONE });
  await page.getByText("Ana Almeida 1", { exact: true }).waitFor();
  const asks = asksOf(page);
  await page.reload();
  await page.getByText("Ana Almeida 1", { exact: true }).waitFor();
  const shown = ["name", "company", "email", "phone", "status", "value", "owner_id", "created_at"];
  assert.deepEqual(fieldsOf(asks[0]).toSorted(), [...shown, ...NEEDED].toSorted());
});
