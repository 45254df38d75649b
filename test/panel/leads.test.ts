import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { large } from "../large.ts";
import { seedLeads } from "./support/leads-world.ts";
import { checkPage, dialogHasFocus, type PanelWorld, PHONE, panelWorld } from "./support/panel.ts";

const cell = (page: Page, lead: string, column: string) =>
  page.getByRole("row").filter({ hasText: lead }).locator(`[data-column="${column}"]`);
const said = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();
const shown = (page: Page) => page.locator("tbody tr[data-row]").count();
const stored = async (the: PanelWorld, field: string, n: number) => {
  const id = `lead_${n.toString(16).padStart(26, "0")}`;
  const [row] = await the.sql<Record<string, unknown>>(
    `SELECT ${field} AS it FROM store.lead WHERE id = $1 AND project_id = $2`,
    [id, the.project.id],
  );
  return row?.it;
};
const editorIn = async (the: PanelWorld) => {
  const editor = await the.newPerson("Edda");
  await the.join(editor, the.project.id, "editor");
  return editor;
};

// Slow: it scrolls through hundreds of rows, and draws each.
large(
  "among many leads the table shows the first at once, keeps its rows few, loads ahead, and jumps to the end and back",
  async (t) => {
    await using the = await panelWorld();
    await seedLeads(the, 20_000);
    const page = await the.open("leads");
    await said(page, "Ana Almeida 1");
    await said(page, "20,000 leads");
    const before = Date.now();
    await page.reload();
    await said(page, "Ana Almeida 1");
    t.diagnostic(`first rows ${Date.now() - before} ms after the reload began`);
    const grid = page.getByRole("grid", { name: "Leads, one per row" });
    const lastRow = () =>
      page.evaluate("Number([...document.querySelectorAll('tr[data-row]')].at(-1)?.dataset.row)");
    await grid.hover();
    for (let i = 0; Number(await lastRow()) < 600; i += 1) {
      assert.ok(i < 500, "the next page did not come");
      await page.mouse.wheel(0, 2_000);
      await page.waitForTimeout(40);
      assert.ok((await shown(page)) <= 60);
    }
    await page.getByRole("button", { name: "Go to end" }).click();
    await said(page, "João Holanda 20000");
    assert.ok((await shown(page)) <= 60);
    await page.mouse.move(0, 0); // away from the button, whose tooltip would be outside of the page's landmarks
    await checkPage(page, "end");
    await page.getByRole("button", { name: "Go to start" }).click();
    await said(page, "Ana Almeida 1");
  },
);

test("an editor changes cells with the keyboard; a conflicting change is shown with both values", async () => {
  await using the = await panelWorld();
  await seedLeads(the, 30);
  const page = await the.open("leads", { as: await editorIn(the) });
  await said(page, "Ana Almeida 1");
  await cell(page, "Ana Almeida 1", "company").click();
  await page.keyboard.press("F2");
  await page.getByRole("textbox", { name: "Company" }).fill("Nova Casa");
  await checkPage(page, "editing");
  await page.keyboard.press("Tab");
  await page.getByRole("option", { name: "won" }).click();
  await cell(page, "Ana Almeida 1", "company").getByText("Nova Casa").waitFor();
  await cell(page, "Ana Almeida 1", "status").getByText("won").waitFor();
  await page.locator("[data-editing]").waitFor({ state: "detached" });
  await cell(page, "Ana Almeida 1", "value").dblclick();
  await page.getByRole("textbox", { name: "Value" }).fill("77.5");
  await page.keyboard.press("Enter");
  await cell(page, "Ana Almeida 1", "value").getByText("R$77.50").waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("e");
  await page.getByRole("textbox", { name: "Value" }).fill("1");
  await page.keyboard.press("Escape");
  await cell(page, "Bruno Barros 2", "value").getByText("R$21.00").waitFor();

  await the.sql(
    "UPDATE store.lead SET company = 'Theirs', version = version + 1 WHERE project_id = $1 AND name = 'Clara Castro 3'",
    [the.project.id],
  );
  await cell(page, "Clara Castro 3", "company").dblclick();
  await page.getByRole("textbox", { name: "Company" }).fill("Mine");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Someone else changed this field" });
  await dialog.getByText("Theirs", { exact: true }).waitFor();
  await dialog.getByText("Mine", { exact: true }).waitFor();
  await checkPage(page, "conflict");
  const saved = page.waitForResponse((answer) => answer.request().method() === "PATCH");
  await dialog.getByRole("button", { name: "Use mine" }).click();
  await dialog.waitFor({ state: "detached" });
  await cell(page, "Clara Castro 3", "company").getByText("Mine").waitFor();
  await saved;
  assert.deepEqual(
    [await stored(the, "company", 1), await stored(the, "status", 1), await stored(the, "value", 1)],
    ["Nova Casa", "won", 77.5],
  );
  assert.deepEqual([await stored(the, "company", 3), await stored(the, "value", 2)], ["Mine", 21]);
});

large("an order that is chosen as the search reaches the address takes no letter of it back", async () => {
  await using the = await panelWorld();
  await seedLeads(the, 20);
  const page = await the.open("leads", { as: await editorIn(the) });
  await said(page, "Ana Almeida 1");
  await page.getByRole("searchbox").fill("an");
  await page.waitForURL(/q=an$/);
  // The click precedes the next rendering, as on a busy machine.
  await page.evaluate(`{
    const replace = history.replaceState.bind(history);
    history.replaceState = (...words) => {
      replace(...words);
      history.replaceState = replace;
      const buttons = [...document.querySelectorAll("button")];
      queueMicrotask(() => buttons.find((each) => each.textContent === "Value").click());
    };
  }`);
  await page.getByRole("searchbox").fill("ana");
  await page.waitForURL(/sort=value/);
  assert.equal(new URL(page.url()).searchParams.get("q"), "ana");
});

large("two columns that are chosen faster than the table follows are both in the order", async () => {
  await using the = await panelWorld();
  await seedLeads(the, 30);
  const page = await the.open("leads");
  await said(page, "Ana Almeida 1");
  await page.evaluate(`(async () => {
    const button = (name) => [...document.querySelectorAll("th button")].find((each) => each.textContent.trim() === name);
    button("Value").click();
    // The URL has it now; nothing else ran yet, not even a scheduled rendering.
    for (let i = 0; i < 100; i += 1) await null;
    button("Company").dispatchEvent(new MouseEvent("click", { shiftKey: true, bubbles: true }));
  })()`);
  await page.waitForURL(/sort=/);
  await page
    .getByRole("columnheader", { name: /Company/ })
    .and(page.locator("[aria-sort=ascending]"))
    .waitFor();
  assert.equal(new URL(page.url()).searchParams.get("sort"), "value,company");
});

test("search, order and filter are in the URL; a view stores them with its columns, and shows what is changed", async () => {
  await using the = await panelWorld();
  await seedLeads(the, 40);
  const key = await the.key(["leads:read", "leads:write", "schema:write"]);
  assert.equal(
    (await key.send("POST", "/api/v1/fields", { key: "plan", label: "Plan", type: "text" })).status,
    201,
  );
  const filter = encodeURIComponent(JSON.stringify({ field: "source", op: "eq", value: "fair" }));
  const page = await the.open(`leads?filter=${filter}`, { as: await editorIn(the) });
  await page.keyboard.press("/");
  await page.keyboard.type("ana");
  await page.waitForURL(/q=ana/);
  await page.getByRole("button", { name: "Value", exact: true }).click();
  await page.getByRole("button", { name: "Company", exact: true }).click({ modifiers: ["Shift"] });
  await page.waitForURL(/sort=value%2Ccompany/);
  await page.reload();
  await said(page, "Ana Almeida 1");
  assert.equal(
    await page.getByRole("columnheader", { name: /Value/ }).getAttribute("aria-sort"),
    "ascending",
  );
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("checkbox", { name: "Plan" }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Save as view" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Fair <b>people</b>");
  await checkPage(page, "saving a view");
  await page.keyboard.press("Enter");
  await said(page, "View saved");
  await page.waitForURL(/leads\?view=view_\w+$/);
  const [view] = await the.sql<{ query: { fields: string[]; sort: object[]; search: string } }>(
    "SELECT query FROM store.saved_view WHERE project_id = $1",
    [the.project.id],
  );
  assert.ok(view?.query.fields.includes("custom.plan"));
  assert.deepEqual([view?.query.search, view?.query.sort.length], ["ana", 2]);

  await page.getByRole("searchbox").fill("");
  await page.getByText("changed", { exact: true }).waitFor();
  await checkPage(page, "a changed view");
  await page.getByRole("button", { name: "Save changes" }).click();
  await said(page, "View updated");
  await page.getByText("changed", { exact: true }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Options for view" }).click();
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Fairs");
  await page.keyboard.press("Enter");
  await said(page, "View renamed");
  await page.getByRole("link", { name: "All leads" }).click();
  await said(page, "40 leads");
  await page.getByRole("link", { name: "Fairs" }).click();
  await page.getByRole("button", { name: "Options for view" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await said(page, "View deleted");
  assert.deepEqual(await the.sql("SELECT FROM store.saved_view WHERE project_id = $1", [the.project.id]), []);
  await page
    .getByRole("status")
    .filter({ hasText: "View deleted" })
    .getByRole("button", { name: "Undo" })
    .click();
  await page.getByRole("link", { name: "Fairs" }).waitFor();

  await page.goto(new URL("history", page.url()).href);
  const change = (name: RegExp) => page.getByRole("main").getByRole("link", { name });
  await change(/^Undid: Deleted the view \W*Fairs/).waitFor();
  await change(/^Changed the view \W*Fairs/)
    .last()
    .click();
  const record = page.getByRole("region", { name: "What it changed" });
  await record.getByText("ana", { exact: true }).waitFor();
  await record.getByText("Search", { exact: true }).waitFor();
  await checkPage(page, "what a change did to a view");
  await page.goBack();
  await change(/^Changed the view \W*Fairs/)
    .first()
    .click();
  await record.getByText("Fair <b>people</b>").waitFor();
  await page.getByRole("button", { name: /^Undo: / }).click();
  await page.getByRole("dialog").getByText("1 view gets its former values back.").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Undo" }).click();
  await page.getByText("This is undone already.").waitFor();
  await page.getByRole("link", { name: "All changes" }).click();
  await change(/^Created the view \W*Fair <b>people/).click();
  await record.getByText("Source is fair").waitFor();
  await record.getByText("Company, ascending").waitFor();
  await record.getByRole("link", { name: "Fair <b>people</b>" }).click();
  await page.waitForURL(/leads\?view=view_\w+$/);
});

test("a column is made wider by dragging its edge, is pinned, and stays so", async () => {
  await using the = await panelWorld();
  await seedLeads(the, 3);
  const page = await the.open("leads");
  await said(page, "Ana Almeida 1");
  const head = page.getByRole("columnheader", { name: /Status/ });
  const box = async () => (await head.boundingBox()) ?? assert.fail("the column is gone");
  /** Waits until the head of the column is as wide as that, and so far to the left. */
  const isAt = async (width: number, mostLeft: number) => {
    for (let tries = 0; ; tries += 1) {
      const found = await box();
      if (Math.round(found.width) === width && found.x <= mostLeft) return;
      assert.ok(tries < 100, `it is ${found.width} wide at ${found.x}`);
      await page.waitForTimeout(50);
    }
  };
  const { width, x: left } = await box();
  const edge = await head.locator("span[draggable]").boundingBox();
  assert.ok(edge !== null);
  const [x, y] = [edge.x + edge.width / 2, edge.y + edge.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let by = 10; by <= 60; by += 10) await page.mouse.move(x + by, y);
  await page.mouse.up();
  await isAt(width + 60, left);
  await head.hover();
  await head
    .getByRole("button", { name: /Status$/ })
    .last()
    .click();
  await page.getByRole("menuitem", { name: "Pin" }).click();
  await isAt(width + 60, left - 1);
  await page.reload();
  await isAt(width + 60, left - 1);
});

test("many leads are changed at once, selected one by one or all that match, after a count is shown; and undone", async () => {
  await using the = await panelWorld();
  await seedLeads(the, 250);
  const page = await the.open("leads", { as: await editorIn(the) });
  await said(page, "250 leads");
  await cell(page, "Ana Almeida 1", "source").click();
  for (const press of ["x", "j", "x"]) await page.keyboard.press(press);
  await said(page, "2 selected");
  const bar = page.getByRole("region", { name: "Change selected leads" });
  await bar.getByRole("button", { name: "Status" }).click();
  await page.getByRole("dialog").getByLabel("New status").click();
  await page.getByRole("option", { name: "contacted" }).click();
  await page.getByText("1 lead will change.").waitFor();
  await page.getByText("1 lead will stay unchanged.").waitFor();
  await checkPage(page, "bulk");
  await page.getByRole("button", { name: "Change 1 lead", exact: true }).click();
  await said(page, "1 lead changed");
  assert.equal(await stored(the, "status", 2), "contacted");
  await page.getByRole("button", { name: "Undo" }).click();
  await said(page, "Undone");
  assert.equal(await stored(the, "status", 2), "qualified");

  await cell(page, "Ana Almeida 1", "source").click();
  await page.keyboard.press("x");
  await bar.getByRole("button", { name: "Select all 250 matching leads" }).click();
  await bar.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete 250 leads" }).click();
  await said(page, "No leads yet");
  // The message with "Undo" stays for as long as the pointer is on it.
  await page.getByRole("button", { name: "Undo" }).last().hover();
  await checkPage(page, "empty");
  const restored = page.waitForResponse(/\/undo$/);
  await page.getByRole("button", { name: "Undo" }).last().click();
  await restored;
  await said(page, "250 leads");
  assert.equal(
    (await the.sql("SELECT FROM store.lead WHERE project_id = $1 AND deleted_at IS NULL", [the.project.id]))
      .length,
    250,
  );
});

large(
  "more leads than one call may change are changed in the background, with progress, and the undo is, too",
  async () => {
    await using the = await panelWorld({ alone: true });
    await seedLeads(the, 10_050);
    const page = await the.open("leads");
    await said(page, "10,050 leads");
    await page.getByRole("checkbox", { name: "Select all loaded leads" }).click();
    const bar = page.getByRole("region", { name: "Change selected leads" });
    await bar.getByRole("button", { name: "Select all 10,050 matching leads" }).click();
    await bar.getByRole("button", { name: "Add tags" }).click();
    await page.getByRole("dialog").getByLabel("Tags").fill("spring");
    await page.keyboard.press("Enter");
    await page.getByText("10,050 leads will change.").waitFor();
    await page.getByRole("button", { name: "Change 10,050 leads" }).click();
    await page.getByText("10,050 leads changed", { exact: true }).first().waitFor({ timeout: 120_000 });
    assert.deepEqual(await the.sql("SELECT FROM store.lead WHERE NOT 'spring' = ANY (tags)"), []);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText(/^Undoing… [\d,]+ of 10,050$/).waitFor({ timeout: 60_000 });
    await page.getByText("Undone", { exact: true }).waitFor({ timeout: 120_000 });
    assert.deepEqual(await the.sql("SELECT FROM store.lead WHERE 'spring' = ANY (tags)"), []);
  },
);

test("a new lead is written down, and one that is there already is shown first", async () => {
  await using the = await panelWorld();
  const page = await the.open("leads", { as: await editorIn(the) });
  await said(page, "No leads yet");
  await page.keyboard.press("c");
  const dialog = page.getByRole("dialog", { name: "New lead" });
  await dialogHasFocus(page);
  await dialog.getByLabel("Name").fill("Rita");
  await dialog.getByLabel("E-mail").fill("rita@example.org");
  await checkPage(page, "new lead");
  await page.keyboard.press("Enter");
  await said(page, "Lead created");
  await said(page, "Rita");
  await page.keyboard.press("c");
  await dialogHasFocus(page);
  await dialog.getByLabel("E-mail").fill("RITA@example.org");
  await dialog.getByLabel("Company").fill("Lumen");
  await dialog.getByRole("button", { name: "Create lead" }).click();
  await dialog.getByText("This lead already exists").waitFor();
  await checkPage(page, "a duplicate");
  await dialog.getByRole("button", { name: "Update it" }).click();
  await said(page, "Lead updated");
  assert.deepEqual(
    await the.sql("SELECT name, company FROM store.lead WHERE project_id = $1", [the.project.id]),
    [{ name: "Rita", company: "Lumen" }],
  );
});

large(
  "visible leads are downloaded as CSV; a failed load is reported; a viewer reads, and is offered no change",
  async () => {
    await using the = await panelWorld();
    await seedLeads(the, 20);
    const owner = await the.open("leads?sort=value&q=ana");
    await said(owner, "Ana Almeida 1");
    const [download] = await Promise.all([
      owner.waitForEvent("download"),
      owner.getByRole("button", { name: "Download as CSV" }).click(),
    ]);
    const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\n");
    assert.equal(lines[0], "\ufeffname,company,status,value,email,phone,source,owner_id,tags,created_at");
    assert.deepEqual(
      lines.slice(1).map((line) => line.split(",")[0]),
      ["Ana Almeida 1", "Ana Castro 11"],
    );

    const viewer = await the.newPerson("Vera");
    await the.join(viewer, the.project.id, "viewer");
    const page = await the.open("leads", { as: viewer });
    await said(page, "20 leads");
    await checkPage(page);
    assert.equal(await page.getByRole("button", { name: "New lead" }).count(), 0);
    assert.equal(await page.getByRole("checkbox").count(), 0);
    await cell(page, "Ana Almeida 1", "company").dblclick();
    assert.equal(await page.getByRole("textbox", { name: "Company" }).count(), 0);

    let refuse = true;
    await page.route("**/v1/leads/search", async (route) => {
      const body = { error: { code: "too_slow", message: "Too slow.", details: [] }, request_id: "req_42" };
      return refuse ? await route.fulfill({ status: 404, json: body }) : await route.continue();
    });
    await page.reload();
    await page.getByText("req_42").waitFor();
    await checkPage(page);
    refuse = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await said(page, "Ana Almeida 1");
    await cell(page, "Ana Almeida 1", "company").click();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/leads\/lead_/);
  },
);

large("cards on a phone, in Portuguese; hostile text in every field is text", async () => {
  await using the = await panelWorld({ alone: true });
  const key = await the.key(["leads:read", "leads:write"]);
  for (const text of [
    `<img src=x onerror=alert(1)>`,
    `\u202eevil\u200b`,
    "x".repeat(500),
    `"><script>alert(1)</script>`,
  ]) {
    const lead = {
      name: text,
      company: text,
      source: text,
      tags: [text.slice(0, 200)],
      city: text,
    };
    assert.equal((await key.send("POST", "/api/v1/leads", lead)).status, 201);
  }
  await the.sql("UPDATE store.lead SET phone = name, phone_e164 = NULL, email = name, value = 1");
  await the.sql("UPDATE store.lead SET company = repeat('y', 10000) WHERE name LIKE 'x%'");
  for (const size of [PHONE, { width: 1_440, height: 900 }]) {
    const page = await the.open("leads", { size, language: "pt-BR" });
    page.on("dialog", () => assert.fail("a script ran"));
    await page.getByText("<img src=x onerror=alert(1)>").first().waitFor();
    await checkPage(page, `hostile, ${size.width}`);
    assert.equal(await page.locator("img[src=x]").count(), 0);
  }
});
