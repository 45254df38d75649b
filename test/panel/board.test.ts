import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { large } from "../large.ts";
import { checkPage, type PanelWorld, PHONE, panelWorld, shortcutsWork } from "./support/panel.ts";

const SCREEN = "board";

const column = (page: Page, status: string): Locator => page.locator(`section[data-status="${status}"]`);
const cardOf = (page: Page, name: string): Locator =>
  page.locator("[data-card]").filter({ has: page.getByRole("link", { name, exact: true }) });
const inColumn = (page: Page, status: string, name: string): Locator =>
  column(page, status).getByRole("link", { name, exact: true });

/** Moves with the arrow keys to an item of the menu that just opened. */
async function reach(page: Page, item: string): Promise<void> {
  const focused = page.locator("[role=menuitem]:focus");
  await focused.waitFor();
  // The focus trap may focus the first item twice, the second time from an effect.
  await shortcutsWork(page);
  for (let i = 0; (await focused.innerText()) !== item; i += 1) {
    assert.ok(i < 10, `no ${item} in the menu`);
    await page.keyboard.press("ArrowDown");
  }
}

/** Drags with single mouse events: down, part of the way, there, up. */
async function drag(page: Page, what: Locator, to: Locator): Promise<void> {
  const [from, there] = [await what.boundingBox(), await to.boundingBox()];
  if (from === null || there === null) return assert.fail("nothing to drag");
  await page.mouse.move(from.x + 60, from.y + 60);
  await page.mouse.down();
  await page.mouse.move(from.x + 80, from.y + 70, { steps: 4 });
  await page.waitForTimeout(100);
  await page.mouse.move(there.x + 90, there.y + 250, { steps: 12 });
  await page.waitForTimeout(100);
  await page.mouse.up();
}

const shot = async (page: Page, name: string) => {
  const { SHOTS } = process.env;
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/${name}.png` });
};

const statusOf = async (the: PanelWorld, name: string) =>
  (
    await the.sql<{ status: string }>("SELECT status FROM store.lead WHERE name = $1 AND project_id = $2", [
      name,
      the.project.id,
    ])
  )[0]?.status;

async function seed(the: PanelWorld, items: object[]): Promise<{ id: string }[]> {
  const key = await the.key(["leads:read", "leads:write"]);
  const made: { id: string }[] = [];
  for (let from = 0; from < items.length; from += 500) {
    const answer = await key.send("POST", "/api/v1/leads/bulk", {
      op: "create",
      items: items.slice(from, from + 500),
    });
    assert.equal(answer.status, 200);
    const { results } = (await answer.json()) as { results: { id: string }[] };
    made.push(...results);
  }
  return made;
}

test("a card is dragged to another status, and the move is undone", async () => {
  await using the = await panelWorld();
  await seed(the, [
    { name: "Ana", status: "new", company: "Aurora", value: 100, currency: "BRL", owner_id: the.person.id },
    { name: "Bia", status: "new", value: 50, currency: "USD" },
    { name: "Caio", status: "won", value: 7, currency: "BRL" },
    { name: "Davi", status: "won", value: 3 },
  ]);
  await the.sql("UPDATE store.project SET currency = 'BRL'");
  const editor = await the.newPerson("Edda");
  await the.join(editor, the.project.id, "editor");
  const page = await the.open(SCREEN, { as: editor });
  await inColumn(page, "new", "Ana").waitFor();
  await cardOf(page, "Ana").getByText(the.person.name).waitFor();
  await column(page, "new")
    .getByText("R$100.00 + $50.00")
    .or(column(page, "new").getByText("$50.00 + R$100.00"))
    .waitFor();
  await checkPage(page, "board");
  // A lead without a currency has the project's.
  await column(page, "won").getByText("R$10.00", { exact: true }).waitFor();
  await drag(page, cardOf(page, "Ana"), column(page, "won"));
  await inColumn(page, "won", "Ana").waitFor();
  await page.getByText("Moved to \u2068won\u2069").waitFor();
  await column(page, "won").getByText("R$110.00", { exact: true }).waitFor();
  assert.equal(await statusOf(the, "Ana"), "won");
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Undone", { exact: true }).waitFor();
  await inColumn(page, "new", "Ana").waitFor();
  assert.equal(await statusOf(the, "Ana"), "new");
  await checkPage(page, "moved back");
  const [event] = await the.sql<{ source: string; actor: { label: string } }>(
    "SELECT source, actor FROM store.event WHERE project_id = $1 AND type = 'lead.updated' LIMIT 1",
    [the.project.id],
  );
  assert.deepEqual([event?.source, event?.actor.label], ["panel", "Edda"]);
});

test("with the keyboard alone cards are reached by arrows and moved by their menu; the focus stays with them", async () => {
  await using the = await panelWorld();
  await seed(the, [
    { name: "Ana", status: "new" },
    { name: "Bia", status: "contacted" },
    { name: "Caio", status: "contacted" },
  ]);
  const page = await the.open(SCREEN);
  await inColumn(page, "contacted", "Bia").waitFor();
  const cards = page.locator('section[data-status="contacted"] [data-card]');
  const [first, second] = await Promise.all([
    cards.nth(0).locator("a").innerText(),
    cards.nth(1).locator("a").innerText(),
  ]);
  await inColumn(page, "new", "Ana").focus();
  for (const [key, card] of [
    ["ArrowRight", first],
    ["ArrowDown", second],
    ["ArrowUp", first],
    ["ArrowLeft", "Ana"],
  ] as const) {
    await page.keyboard.press(key);
    assert.equal(await page.evaluate("document.activeElement.innerText"), card, key);
  }
  await page.keyboard.press("m");
  await reach(page, "lost");
  await checkPage(page, "menu");
  await page.keyboard.press("Enter");
  await inColumn(page, "lost", "Ana").waitFor();
  await page.getByText("Moved to \u2068lost\u2069").waitFor();
  await page.locator("a:focus", { hasText: "Ana" }).waitFor();
  // Again immediately, with the version that the first move returned.
  await page.keyboard.press("m");
  await reach(page, "won");
  await page.keyboard.press("Enter");
  await page.getByText("Moved to \u2068won\u2069").waitFor();
  assert.equal(await statusOf(the, "Ana"), "won");
});

large(
  "the menu of a card at the edge of the window opens by keyboard: the card is scrolled into view",
  async () => {
    await using the = await panelWorld();
    await seed(the, [{ name: "Ana", status: "won" }]);
    const page = await the.open(SCREEN);
    const button = page.getByRole("button", { name: "Move lead: Ana" });
    await button.waitFor();
    await page.evaluate(
      "for (let e = document.querySelector('[data-card]'); e !== null; e = e.parentElement) e.scrollLeft = 0",
    );
    const place = await button.boundingBox();
    assert.ok(place !== null && place.x > 1_280, "the card's button is beyond the window");
    await page.evaluate("document.querySelector('[data-card] a').focus({ preventScroll: true })");
    await page.keyboard.press("m");
    await reach(page, "lost");
    await page.keyboard.press("Enter");
    await page.getByText("Moved to \u2068lost\u2069").waitFor();
    await page.locator("a:focus", { hasText: "Ana" }).waitFor();
    const shown = await cardOf(page, "Ana").boundingBox();
    assert.ok(shown !== null && shown.x + shown.width <= 1_280, "the moved card is in view");
  },
);

large(
  "the focus follows a moved card in a slow browser too, and when the service refuses the move",
  async () => {
    await using the = await panelWorld();
    await seed(the, [{ name: "Ana", status: "new" }]);
    const page = await the.open(SCREEN);
    await inColumn(page, "new", "Ana").waitFor();
    const seen = Promise.withResolvers<void>();
    await page.route("**/v1/leads/lead_*", async (route) => {
      await seen.promise;
      await route.abort();
    });
    await page.evaluate(
      "window.setTimeout = ((later) => (run, ms = 0, ...more) => later(run, ms < 20 ? 200 : ms, ...more))(setTimeout)",
    );
    await inColumn(page, "new", "Ana").focus();
    await page.keyboard.press("m");
    await reach(page, "won");
    await page.keyboard.press("Enter");
    await column(page, "won").locator("a:focus", { hasText: "Ana" }).waitFor();
    seen.resolve();
    await column(page, "new").locator("a:focus", { hasText: "Ana" }).waitFor();
  },
);

large(
  "a card is moved to a column that is still loading; both columns and their numbers are right afterwards",
  async () => {
    await using the = await panelWorld();
    await seed(the, [
      { name: "Ana", status: "new" },
      { name: "Bia", status: "won" },
    ]);
    const page = await the.open("settings/statuses");
    const waiting = Promise.withResolvers<void>();
    await page.route("**/v1/leads/search", async (route) => {
      if (route.request().postData()?.includes('"won"')) await waiting.promise;
      await route.continue().catch(() => undefined);
    });
    await page.goto(page.url().replace("settings/statuses", SCREEN));
    await column(page, "new").getByText("1", { exact: true }).waitFor();
    await seed(the, [{ name: "Caio", status: "new" }]);
    await page.getByRole("button", { name: "Move lead: Ana" }).click();
    await page.getByRole("menuitem", { name: "won" }).click();
    await page.getByText("Moved to \u2068won\u2069").waitFor();
    waiting.resolve();
    await inColumn(page, "won", "Ana").waitFor();
    await inColumn(page, "won", "Bia").waitFor();
    await column(page, "won").getByText("2", { exact: true }).waitFor();
    await column(page, "new").getByText("1", { exact: true }).waitFor();
  },
);

large(
  "a move that the service refuses is taken back; what else changed of the lead does not stand in its way",
  async () => {
    await using the = await panelWorld({ alone: true });
    const [ana] = await seed(the, [
      { name: "Ana", status: "new" },
      { name: "Bia", status: "new" },
    ]);
    const key = await the.key(["leads:read", "leads:write"]);
    const page = await the.open(SCREEN);
    // without the stream, the person acts on what they see, which is outdated
    await page.route("**/events/stream**", async (route) => await route.abort());
    await page.reload();
    await inColumn(page, "new", "Ana").waitFor();
    await key.send("PATCH", `/api/v1/leads/${ana?.id}`, { company: "Aurora" });
    const move = async (name: string, to: string) => {
      await page.getByRole("button", { name: `Move lead: ${name}` }).click();
      await page.getByRole("menuitem", { name: to, exact: true }).click();
    };
    await move("Ana", "contacted");
    await page.getByText("Moved to \u2068contacted\u2069").waitFor();
    assert.equal(await statusOf(the, "Ana"), "contacted");

    await key.send("PATCH", `/api/v1/leads/${ana?.id}`, { status: "lost" });
    await move("Ana", "won");
    await page.getByText("Someone else moved this lead in the meantime.").waitFor();
    await inColumn(page, "lost", "Ana").waitFor();
    assert.equal(await statusOf(the, "Ana"), "lost");

    await page.route("**/v1/leads/lead_*", async (route) => await route.abort());
    await move("Bia", "won");
    await inColumn(page, "new", "Bia").waitFor();
    await checkPage(page, "refused");
    assert.equal(await statusOf(the, "Bia"), "new");
  },
);

large(
  "search, filter, order and folded columns stand in the address, and thousands of cards load as one scrolls",
  async () => {
    await using the = await panelWorld();
    const items = Array.from({ length: 1_200 }, (_, i) => ({ name: `Lead ${i}`, status: "new", value: i }));
    await seed(the, [...items, { name: "Zoe", status: "won" }]);
    const page = await the.open(`${SCREEN}?order=value&folded=lost`);
    await column(page, "new").getByText("1,200").waitFor();
    assert.equal(await column(page, "lost").getAttribute("data-folded"), "true");
    await inColumn(page, "new", "Lead 1199").waitFor();
    for (let i = 0; i < 400 && (await inColumn(page, "new", "Lead 0").count()) === 0; i += 1) {
      await page.evaluate(`document.querySelector('[data-status="new"] ul').parentElement.scrollTo(0, 1e9)`);
      await page.waitForTimeout(50);
    }
    await inColumn(page, "new", "Lead 0").waitFor();
    assert.ok((await page.locator("[data-card]").count()) < 60);
    await checkPage(page, "scrolled");
    await page.getByRole("button", { name: "Collapse column: won" }).click();
    await page.getByRole("button", { name: "Expand column: won" }).waitFor();
    await page.getByRole("searchbox", { name: "Search leads" }).click();
    await page.keyboard.type("Lead 77");
    await page.waitForURL(/q=Lead\+77/);
    await inColumn(page, "new", "Lead 77").waitFor();
    assert.match(page.url(), /order=value/);
    assert.match(page.url(), /folded=lost%2Cwon/);
    await page.getByRole("searchbox", { name: "Search leads" }).fill("nobody has this");
    await page.getByText("No leads found").waitFor();
    await checkPage(page, "nothing found");
    await page.getByRole("button", { name: "Clear search and filter" }).click();
    await inColumn(page, "new", "Lead 1199").waitFor();
  },
);

large("a phone shows one column at a time, in Portuguese, by tabs and swiping", async () => {
  await using the = await panelWorld();
  await seed(the, [
    { name: "Ana", status: "new" },
    { name: "Bia", status: "contacted" },
  ]);
  const page = await the.open(SCREEN, { size: PHONE, language: "pt-BR" });
  await inColumn(page, "new", "Ana").waitFor();
  assert.equal(await page.locator("section[data-status]").count(), 1);
  await shot(page, "board-phone");
  await checkPage(page, "phone");
  await page.getByRole("tab", { name: /contacted/ }).click();
  await inColumn(page, "contacted", "Bia").waitFor();
  assert.match(page.url(), /column=contacted/);
  await page.evaluate(`(() => {
    const element = document.querySelector('[data-status="contacted"]');
    const touch = (x) => new Touch({ identifier: 1, target: element, clientX: x, clientY: 400 });
    element.dispatchEvent(new TouchEvent("touchstart", { bubbles: true, touches: [touch(100)], changedTouches: [touch(100)] }));
    element.dispatchEvent(new TouchEvent("touchend", { bubbles: true, touches: [], changedTouches: [touch(300)] }));
  })()`);
  await inColumn(page, "new", "Ana").waitFor();
  await page.getByRole("button", { name: "Mover lead: Ana" }).click();
  await page.getByRole("menuitem", { name: "won" }).click();
  await page.getByText("Movido para \u2068won\u2069").waitFor();
  await page.getByText("Nenhum lead aqui").waitFor();
  await checkPage(page, "moved on a phone");
});

test("a viewer sees the board without moves; an empty project says what to do; errors offer a retry", async () => {
  await using the = await panelWorld();
  const viewer = await the.newPerson("Vera");
  await the.join(viewer, the.project.id, "viewer");
  const page = await the.open(SCREEN, { as: viewer });
  await page.getByRole("heading", { name: "No leads yet" }).waitFor();
  assert.equal(await page.getByRole("link", { name: "Import leads" }).count(), 0);
  await checkPage(page, "empty");
  await seed(the, [{ name: "Ana", status: "new" }]);
  let refuse = true;
  await page.route("**/v1/leads/aggregate", async (route) => {
    const body = { error: { code: "not_found", message: "Gone.", details: [] }, request_id: "req_42" };
    return refuse ? await route.fulfill({ status: 404, json: body }) : await route.continue();
  });
  await page.reload();
  await page.getByText("req_42").waitFor();
  await checkPage(page, "failed");
  refuse = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await inColumn(page, "new", "Ana").waitFor();
  assert.equal(await page.getByRole("button", { name: /Move lead/ }).count(), 0);
  assert.equal(await page.locator('[draggable="true"]').count(), 0);
  await checkPage(page, "viewer");
});

large(
  "hostile and very long texts are shown as text, and leads of unknown statuses and owners are shown",
  async () => {
    await using the = await panelWorld({ alone: true });
    const hostile = ["<img src=x onerror=alert(1)>", "\u202eevil", "\u200b\u200bx", "y".repeat(10_000)];
    await seed(
      the,
      hostile.map((text) => ({
        name: text.slice(0, 1_000),
        company: text,
        status: "new",
        value: 1e15,
        currency: "BRL",
      })),
    );
    await the.sql("UPDATE store.lead SET status = '<b>odd', owner_id = 'per_gone' WHERE name LIKE '<img%'");
    await the.sql("UPDATE store.lead SET name = NULL, company = NULL WHERE name LIKE '%evil'");
    for (const size of [undefined, PHONE]) {
      const page = await the.open(SCREEN, size === undefined ? {} : { size });
      page.on("dialog", () => assert.fail("a script ran"));
      if (size === undefined)
        await column(page, "<b>odd").getByText("<img src=x", { exact: false }).first().waitFor();
      await page.getByRole("link", { name: "No name" }).waitFor();
      await shot(page, `board-hostile-${size === undefined ? "desk" : "phone"}`);
      await checkPage(page, "hostile");
      assert.equal(await page.locator("img[src=x]").count(), 0);
    }
  },
);
