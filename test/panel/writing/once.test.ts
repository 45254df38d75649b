import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { SCREENS } from "../../../src/core/panel.ts";
import { large } from "../../large.ts";
import { livedLead } from "../support/lead-seed.ts";
import { checkPage, dialogHasFocus, panelWorld } from "../support/panel.ts";
import { settledOf } from "../support/settled.ts";

const LOST = "This page could not be loaded";

large(
  "a file of the panel that cannot be loaded shows a page with a button and reloads nothing",
  async () => {
    await using the = await panelWorld();
    const page = await the.open("leads");
    let documents = 0;
    page.on("request", (request) => {
      if (request.resourceType() === "document") documents += 1;
    });
    await page.route("**/panel/assets/statuses-screen*", (route) => route.abort("connectionrefused"));
    const asked = page.waitForResponse(
      (answer) => answer.request().resourceType() === "fetch" && !answer.url().includes("/panel/api/"),
    );
    await page.getByRole("link", { name: "Statuses" }).click();
    await page.getByRole("heading", { name: LOST }).waitFor();
    await (await asked).finished();
    await page.evaluate("new Promise((done) => setTimeout(done))");
    assert.equal(documents, 0);
    await page.unroute("**/panel/assets/statuses-screen*");
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByRole("heading", { name: "Statuses" }).waitFor();
    assert.equal(documents, 1);
  },
);

large("a newer version of the panel is loaded once, even if its files cannot be loaded either", async () => {
  await using the = await panelWorld();
  const page = await the.open("leads");
  let documents = 0;
  let asked = 0;
  await page.route("**/panel/assets/statuses-screen*", (route) => route.fulfill({ status: 404, body: "" }));
  await page.route(`**/projects/${the.project.id}/**`, async (route) => {
    const kind = route.request().resourceType();
    if (kind === "document") documents += 1;
    if (kind !== "fetch") return await route.continue();
    asked += 1;
    await route.fulfill({ body: "<script src='/panel/assets/newer.js'></script>" });
  });
  const reloaded = page.waitForRequest((request) => request.resourceType() === "document");
  await page.getByRole("link", { name: "Statuses" }).click();
  await reloaded;
  await page.getByRole("heading", { name: LOST }).waitFor();
  for (let waited = 0; asked < 2; waited += 1) {
    assert.ok(waited < 1_500, "the panel looks for a newer version again");
    await page.waitForTimeout(20);
  }
  await page.evaluate("new Promise((done) => setTimeout(done, 50))");
  await page.getByRole("heading", { name: LOST }).waitFor();
  assert.equal(documents, 1);
});

large("a double click on what creates something creates it once", async () => {
  await using the = await panelWorld({ alone: true });
  const count = async (from: string) => (await the.sql(`SELECT FROM ${from}`)).length;
  const page = await the.open("leads");
  await page.getByRole("button", { name: "New lead" }).first().click();
  await page.getByRole("dialog").getByLabel("Name").fill("Rita");
  await page.getByRole("button", { name: "Create lead" }).dblclick();
  await page.getByText("Lead created").waitFor();
  assert.equal(await count("store.lead"), 1);

  const { id } = await livedLead(the);
  const notes = await count("store.event WHERE type = 'note.added'");
  const lead = await the.open(`leads/${id}`);
  await lead.getByPlaceholder(/note/i).fill("Call back");
  await lead.getByRole("button", { name: "Add note" }).dblclick();
  await lead.getByRole("status").getByText("Note added").waitFor();
  assert.equal(await count("store.event WHERE type = 'note.added'"), notes + 1);

  const [dataset] = await the.sql<{ id: string }>("SELECT id FROM store.dataset");
  const rows = await the.open(`datasets/${dataset?.id}`);
  await rows.getByRole("button", { name: "Add row" }).first().click();
  const form = rows.getByRole("dialog");
  await dialogHasFocus(rows);
  await form.getByLabel("E-mail").fill("x@example.org");
  await form.getByLabel("Add another").check();
  await form.getByRole("button", { name: "Add row" }).dblclick();
  await rows.getByRole("status").getByText("Row added").waitFor();
  assert.equal(await form.getByLabel("E-mail").inputValue(), "");
  assert.equal(await count("store.dataset_row"), 2);
});

/** Mutations that may run at the same time or one after another, and why a second one does no harm. */
const SEVERAL: Readonly<Record<string, string>> = {
  "api/use-submit.ts": "is the guard",
  "board/use-move.ts": "moves of several cards, one after another",
  "fields/use-change-fields.ts": "steps of a field up and down the list",
  "fields/untracked-fields.tsx": "sets the whole selection",
  "imports/record/use-import.ts": "settings of an import, one after another",
  "statuses/use-change-statuses.ts":
    "steps of a status, and changes that are applied to the list as it is then",
};

test("everything that a button or form sends is guarded against being sent twice", () => {
  const free = globSync("web/src/**/*.{ts,tsx}")
    .filter((path) => /\buseMutation\s*[<(]/.test(readFileSync(path, "utf8")))
    .map((path) => path.replace("web/src/", ""))
    .sort();
  assert.deepEqual(free, Object.keys(SEVERAL).sort());
});

large("a viewer's visit of every screen asks for nothing that a viewer may not have", async () => {
  await using the = await panelWorld({ alone: true });
  const { key, id } = await livedLead(the);
  const made = await key.send("POST", "/api/v1/datasets/companies/rows", { email: "x@example.org" });
  assert.equal(made.status, 201);
  const [dataset] = await the.sql<{ id: string }>("SELECT id FROM store.dataset");
  const [change] = await the.sql<{ id: string }>("SELECT id FROM store.change ORDER BY id DESC LIMIT 1");
  const viewer = await the.newPerson("Vera");
  await the.join(viewer, the.project.id, "viewer");
  const page = await the.open("dashboard", { as: viewer });
  const settled = settledOf(page);
  const wrong: string[] = [];
  page.on("response", (answer) => {
    if (answer.status() >= 400) wrong.push(`${answer.status()} ${answer.url()}`);
  });
  page.on("console", (message) => {
    if (message.type() === "error") wrong.push(message.text());
  });
  for (const screen of SCREENS) {
    if (screen.includes(":import")) continue; // viewers see the list of imports, of which there is none here
    const path = screen
      .replace(":lead", id)
      .replace(":dataset", dataset?.id ?? "")
      .replace(":change", change?.id ?? "");
    await page.goto(`${the.authUrl}/projects/${the.project.id}/${path}`);
    await settled();
    await page.locator("h1").first().waitFor();
    assert.deepEqual(wrong, [], path);
  }
  await checkPage(page, "the last screen");
});
