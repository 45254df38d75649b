import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { checkPage, type PanelWorld, PHONE, panelWorld } from "./support/panel.ts";

const SCREEN = "settings/statuses";

const listed = (page: Page) =>
  page.getByRole("list", { name: "Statuses in order" }).locator("bdi").allInnerTexts();
const said = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();

const stored = async (the: PanelWorld) =>
  (
    await the.sql<{ statuses: string[] }>("SELECT statuses FROM store.project WHERE project_id = $1", [
      the.project.id,
    ])
  )[0]?.statuses;

test("an editor adds, moves, renames and deletes statuses, and leads follow", async () => {
  await using the = await panelWorld();
  const key = await the.key(["leads:read", "leads:write"]);
  for (const status of ["new", "new", "contacted"]) {
    assert.equal((await key.send("POST", "/api/v1/leads", { name: "Lia", status })).status, 201);
  }
  const editor = await the.newPerson("Edda");
  await the.join(editor, the.project.id, "editor");
  const page = await the.open(SCREEN, { as: editor });
  await page.getByText("2 leads").waitFor();

  await page.getByLabel("Add status", { exact: true }).fill("paused");
  await page.keyboard.press("Enter");
  await said(page, "Status added");
  assert.equal((await stored(the))?.at(-1), "paused");

  await page.getByRole("combobox", { name: "Counts as: paused" }).selectOption("Lost");
  await said(page, "Meaning saved");
  const list = await (await key.send("GET", "/api/v1/statuses")).json();
  assert.equal((list as { meanings: Record<string, string> }).meanings.paused, "lost");

  await page.getByRole("button", { name: "Move up: paused" }).click();
  await said(page, "Order saved");
  assert.equal((await stored(the))?.at(-2), "paused");

  await page.getByRole("button", { name: "Rename: new" }).click();
  await page.getByLabel("Name: new").fill("fresh");
  await checkPage(page, "renaming");
  await page.keyboard.press("Enter");
  await said(page, "Status renamed");
  assert.equal(
    (await the.sql("SELECT FROM store.lead WHERE project_id = $1 AND status = 'fresh'", [the.project.id]))
      .length,
    2,
  );

  await page.getByRole("button", { name: "Delete: contacted" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("1 lead", { exact: false }).waitFor();
  assert.equal(await dialog.getByRole("button", { name: "Delete" }).isEnabled(), false);
  await dialog.getByLabel("New status of its leads").click();
  await page.getByRole("option", { name: "qualified" }).click();
  await checkPage(page, "deleting");
  await dialog.getByRole("button", { name: "Delete" }).click();
  await said(page, "Status deleted");
  assert.equal(
    (await the.sql("SELECT FROM store.lead WHERE project_id = $1 AND status = 'qualified'", [the.project.id]))
      .length,
    1,
  );
  assert.deepEqual(await listed(page), await stored(the));
  const [event] = await the.sql<{ actor: { type: string; label: string }; source: string }>(
    "SELECT actor, source FROM store.event WHERE project_id = $1 AND type = 'lead.updated' LIMIT 1",
    [the.project.id],
  );
  assert.deepEqual([event?.source, event?.actor.type, event?.actor.label], ["panel", "person", "Edda"]);
});

test("a viewer sees the statuses and is offered no change; the server refuses one all the same", async () => {
  await using the = await panelWorld();
  const viewer = await the.newPerson("Vera");
  await the.join(viewer, the.project.id, "viewer");
  const page = await the.open(SCREEN, { as: viewer });
  await page.getByText("You need the Editor role to change statuses.").waitFor();
  assert.deepEqual(await listed(page), await stored(the));
  assert.equal(await page.getByRole("button", { name: /Rename|Delete|Move|Add/ }).count(), 0);
  await checkPage(page);
  const status = await page.evaluate(
    `fetch("/panel/api/${the.project.id}/v1/statuses", { method: "PUT",
      headers: { "Content-Type": "application/json", "X-Form-Token": JSON.parse(document.querySelector('meta[name="leadgate-me"]').content).token },
      body: '{"statuses":["mine"]}' }).then(async (answer) => [answer.status, (await answer.json()).error.code])`,
  );
  assert.deepEqual(status, [403, "role"]);
});

test("statuses on a phone, in Portuguese, with hostile names and long ones", async () => {
  await using the = await panelWorld();
  const names = [`<img src=x onerror=alert(1)>`, "x".repeat(60), "\u202eevil"];
  await the.sql("UPDATE store.project SET statuses = $1", [names]);
  const page = await the.open(SCREEN, { size: PHONE, language: "pt-BR" });
  page.on("dialog", () => assert.fail("a script ran"));
  await page.getByText("Novos leads começam aqui").waitFor();
  await page.getByText("Nenhum lead").first().waitFor();
  await checkPage(page);
  assert.equal(await page.locator("img[src=x]").count(), 0);
});

test("a failed load is shown with a retry", async () => {
  await using the = await panelWorld();
  const page = await the.open(SCREEN, { language: "pt-BR" });
  let refuse = true;
  await page.route("**/v1/statuses", async (route) => {
    const body = { error: { code: "not_found", message: "Gone.", details: [] }, request_id: "req_42" };
    return refuse ? await route.fulfill({ status: 404, json: body }) : await route.continue();
  });
  await page.reload();
  await page.getByText("req_42").waitFor();
  await checkPage(page);
  refuse = false;
  await page.getByRole("button", { name: "Tentar novamente" }).click();
  await page.getByText("contacted").waitFor();
});
