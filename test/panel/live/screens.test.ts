import assert from "node:assert/strict";
import { test } from "node:test";
import { large } from "../../large.ts";
import { checkPage } from "../support/panel.ts";
import { follows, named, requestsOf, twoPeople } from "../support/two-people.ts";

large(
  "a colleague's move is on the board: the card moves, the counts follow, new cards come and deleted ones go",
  async () => {
    await using the = await twoPeople();
    const [bea = "", caio = ""] = await named(the.maker, ["Bea", "Caio"], { value: 10 });
    const [mine, theirs] = [await the.open("board"), await the.open(`leads/${bea}`, { as: the.ana })];
    const column = (status: string) => mine.locator(`[data-status="${status}"]`);
    await column("new").locator(`[data-card="${caio}"]`).waitFor();
    await theirs.getByRole("group", { name: "Status" }).getByRole("button", { name: "won" }).click();
    await column("won").locator(`[data-card="${bea}"]`).waitFor();
    assert.equal(await column("new").locator(`[data-card="${bea}"]`).count(), 0);
    await column("won").locator("header").getByText("1", { exact: true }).waitFor();
    await column("new").locator("header").getByText("1", { exact: true }).waitFor();
    const [nina = ""] = await named(the.maker, ["Nina"]);
    await column("new").locator(`[data-card="${nina}"]`).waitFor();
    await the.maker.send("PATCH", `/api/v1/leads/${caio}`, { company: "Aurora" });
    await column("new").getByText("Aurora").waitFor();
    await the.maker.send("DELETE", `/api/v1/leads/${caio}`);
    await column("new").locator(`[data-card="${caio}"]`).waitFor({ state: "detached" });
    await checkPage(mine);
  },
);

large(
  "one's own move on the board is kept, and a colleague's move of the same card wins afterwards",
  async () => {
    await using the = await twoPeople();
    const [bea = ""] = await named(the.maker, ["Bea"]);
    const page = await the.open("board");
    const card = page.locator(`[data-card="${bea}"]`);
    await card.getByRole("button", { name: "Move to…: Bea" }).or(card.locator("[data-move]")).first().click();
    await page.getByRole("menuitem", { name: "won" }).click();
    await page.locator(`[data-status="won"] [data-card="${bea}"]`).waitFor();
    await follows(page);
    assert.equal(await page.locator(`[data-status="won"] [data-card="${bea}"]`).count(), 1);
    await the.maker.send("PATCH", `/api/v1/leads/${bea}`, { status: "lost" });
    await page.locator(`[data-status="lost"] [data-card="${bea}"]`).waitFor();
  },
);

large(
  "a colleague's changes are on a lead's page: values, timeline and deletion, and saving then is not refused",
  async () => {
    await using the = await twoPeople();
    const [bea = ""] = await named(the.maker, ["Bea"], { city: "Natal", company: "Old" });
    const page = await the.open(`leads/${bea}`);
    await follows(page);
    await the.maker.send("PATCH", `/api/v1/leads/${bea}`, { city: "Lisboa" });
    await page.locator('[data-field="city"]').getByText("Lisboa").waitFor();
    await page.locator('[data-field="city"][data-flash]').waitFor();
    await the.maker.send("POST", `/api/v1/leads/${bea}/events`, {
      type: "note.added",
      data: { text: "Call back on Monday" },
    });
    await page.getByRole("region", { name: "Timeline" }).getByText("Call back on Monday").waitFor();
    const writes = requestsOf(page, `/v1/leads/${bea}`);
    await page.getByRole("button", { name: "Edit: Company", exact: true }).click();
    await page.getByRole("textbox", { name: "Company", exact: true }).fill("Aurora");
    await page.keyboard.press("Enter");
    await page.locator('[data-field="company"]').getByText("Aurora").waitFor();
    assert.equal(writes.filter((request) => request.method() === "PATCH").length, 1);
    await the.maker.send("DELETE", `/api/v1/leads/${bea}`);
    await page.getByRole("heading", { name: "This lead was deleted" }).waitFor();
  },
);

large(
  "a colleague's change of the field that one edits on a lead's page is named before one saves",
  async () => {
    await using the = await twoPeople();
    const [bea = ""] = await named(the.maker, ["Bea"], { city: "Natal" });
    const [mine, theirs] = [await the.open(`leads/${bea}`), await the.open(`leads/${bea}`, { as: the.ana })];
    const edit = async (page: typeof mine, city: string) => {
      await page.getByRole("button", { name: "Edit: City", exact: true }).click();
      await page.getByRole("textbox", { name: "City", exact: true }).fill(city);
    };
    await edit(mine, "Recife");
    await edit(theirs, "Lisboa");
    await theirs.keyboard.press("Enter");
    await mine.getByRole("alert").getByText("Ana changed this to Lisboa").waitFor();
    await checkPage(mine);
    await mine.getByRole("button", { name: "Keep mine" }).click();
    await mine.getByRole("textbox", { name: "City", exact: true }).press("Enter");
    await theirs.locator('[data-field="city"]').getByText("Recife").waitFor();
    assert.equal(await mine.getByRole("dialog").count(), 0);

    await edit(mine, "Mine");
    await edit(theirs, "Porto");
    await theirs.keyboard.press("Enter");
    await mine.getByRole("button", { name: "Take theirs" }).click();
    await mine.locator('[data-field="city"]').getByText("Porto").waitFor();
    assert.deepEqual(await the.sql("SELECT city FROM store.lead WHERE id = $1", [bea]), [{ city: "Porto" }]);
  },
);

large("the dashboard counts a colleague's new leads while it is shown", async () => {
  await using the = await twoPeople();
  await named(the.maker, ["Bea"]);
  const page = await the.open("dashboard");
  const tile = page.locator("[class*=tiles] > *").filter({ hasText: "New leads" });
  await tile.getByText("1", { exact: true }).first().waitFor();
  await follows(page);
  await named(the.maker, ["Caio", "Davi"]);
  await tile.getByText("3", { exact: true }).first().waitFor();
});

test("the history counts new changes, and a click loads them", async () => {
  await using the = await twoPeople();
  const [bea = ""] = await named(the.maker, ["Bea"]);
  const page = await the.open("history");
  await page.getByRole("listitem").first().waitFor();
  await follows(page);
  const before = await page.getByRole("list", { name: "Changes" }).getByRole("listitem").count();
  await the.maker.send("PATCH", `/api/v1/leads/${bea}`, { city: "Lisboa" });
  await page.getByRole("button", { name: "1 new change" }).waitFor();
  await the.maker.send("PATCH", `/api/v1/leads/${bea}`, { city: "Porto", state: "N" });
  const news = page.getByRole("button", { name: "2 new changes" });
  await news.waitFor();
  await checkPage(page);
  await news.click();
  await news.waitFor({ state: "detached" });
  while ((await page.locator("ol[aria-label] > li").count()) !== before + 2) await page.waitForTimeout(20);
});
