import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { large } from "../../large.ts";
import { checkPage, DESKTOP, PHONE } from "../support/panel.ts";
import { follows, named, requestsOf, twoPeople } from "../support/two-people.ts";

const cell = (page: Page, id: string, field: string) => page.locator(`[id="cell-${id}-${field}"]`);

test("a colleague's change is in the table without a reload, marked for a moment, and what did not change is not read again", async () => {
  await using the = await twoPeople();
  const [bea = "", caio = ""] = await named(the.maker, ["Bea", "Caio"], { company: "Old" });
  const [mine, theirs] = [await the.open("leads"), await the.open("leads", { as: the.ana })];
  const asked = requestsOf(mine, "/leads/search");
  await cell(theirs, bea, "company").dblclick();
  await theirs.getByRole("textbox", { name: "Company" }).fill("Aurora");
  await theirs.keyboard.press("Enter");
  await cell(mine, bea, "company").getByText("Aurora").waitFor();
  await mine.locator(`[id="cell-${bea}-company"][data-flash]`).waitFor();
  assert.equal(await cell(mine, caio, "company").textContent(), "Old");
  assert.deepEqual(
    asked.map((request) => (request.postDataJSON() as { filter: unknown }).filter),
    [{ field: "id", op: "in", value: [bea] }],
  );
  await mine.locator("[data-flash]").first().waitFor({ state: "detached" });
  await checkPage(mine);
});

large(
  "a colleague's change is visibly marked without motion, and on a phone the card of its lead",
  async () => {
    await using the = await twoPeople();
    const [bea = ""] = await named(the.maker, ["Bea", "Caio"], { company: "Old" });
    for (const [size, one] of [
      [DESKTOP, '[id^="cell-"][id$="-company"]'],
      [PHONE, "[data-card]"],
    ] as const) {
      const page = await the.open("leads", { size });
      await page.locator(one).first().waitFor();
      await follows(page);
      const marked = page.evaluate(`new Promise((done) => {
      const ground = (state) => {
        const found = document.querySelector('${one}' + state);
        return found && getComputedStyle(found).backgroundColor;
      };
      const look = () => {
        const marked = ground("[data-flash]");
        if (marked !== null && marked !== ground(":not([data-flash])")) done(true);
        else requestAnimationFrame(look);
      };
      setTimeout(() => done(false), 20_000);
      look();
    })`);
      const company = `Aurora ${size.width}`;
      await the.maker.send("PATCH", `/api/v1/leads/${bea}`, { company });
      assert.equal(await marked, true, `${size.width} pixels wide`);
      await page.context().close();
    }
  },
);

large("one's own change is neither read again nor marked", async () => {
  await using the = await twoPeople();
  const [bea = ""] = await named(the.maker, ["Bea"], { company: "Old" });
  const page = await the.open("leads");
  await follows(page);
  const asked = requestsOf(page, "/leads/search");
  await cell(page, bea, "company").dblclick();
  await page.getByRole("textbox", { name: "Company" }).fill("Aurora");
  await page.keyboard.press("Enter");
  await cell(page, bea, "company").getByText("Aurora").waitFor();
  await page.waitForTimeout(1_000);
  assert.equal(asked.length, 0);
  assert.equal(await page.locator("[data-flash]").count(), 0);
});

large(
  "new leads appear, deleted and no longer matching ones go, and the visible rows and the selection stay",
  async () => {
    await using the = await twoPeople();
    const names = Array.from({ length: 60 }, (_, i) => `Lead ${i + 1}`);
    const ids = await named(the.maker, names, { source: "fair" });
    const filter = encodeURIComponent(JSON.stringify({ field: "source", op: "eq", value: "fair" }));
    const page = await the.open(`leads?filter=${filter}`);
    await page.getByText("60 leads").waitFor();
    await page.getByRole("checkbox", { name: "Select: Lead 59", exact: true }).check();
    await named(the.maker, ["Newcomer"], { source: "fair" });
    await page.getByRole("link", { name: "Newcomer" }).waitFor();
    await page.getByText("61 leads").waitFor();
    await the.maker.send("DELETE", `/api/v1/leads/${ids[59]}`);
    await page.getByRole("link", { name: "Lead 60", exact: true }).waitFor({ state: "detached" });
    await the.maker.send("PATCH", `/api/v1/leads/${ids[57]}`, { source: "website" });
    await page.getByRole("link", { name: "Lead 58", exact: true }).waitFor({ state: "detached" });
    await page.getByText("59 leads").waitFor();
    await the.maker.send("PATCH", `/api/v1/leads/${ids[57]}`, { source: "fair" });
    await page.getByRole("link", { name: "Lead 58", exact: true }).waitFor();
    assert.equal(
      await page.getByRole("checkbox", { name: "Select: Lead 59", exact: true }).isChecked(),
      true,
    );

    // in the middle of the list, nothing moves under the person's eyes
    await page.getByRole("grid").hover();
    await page.mouse.wheel(0, 800);
    const row = page.getByRole("link", { name: "Lead 35", exact: true });
    await row.waitFor();
    await page.waitForTimeout(200);
    const before = await row.boundingBox();
    await named(the.maker, ["First above", "Second above"], { source: "fair" });
    await page.getByText("62 leads").waitFor();
    await page.waitForTimeout(300);
    assert.deepEqual(await row.boundingBox(), before);
    await page.mouse.wheel(0, -2_000);
    await page.getByRole("link", { name: "Second above" }).waitFor();
  },
);

large(
  "a colleague's change of the cell that one edits is named before one saves; theirs is taken, or mine is kept",
  async () => {
    await using the = await twoPeople();
    const [bea = "", caio = ""] = await named(the.maker, ["Bea", "Caio"], { company: "Old" });
    const [mine, theirs] = [await the.open("leads"), await the.open(`leads/${bea}`, { as: the.ana })];
    const change = async (value: string) => {
      await theirs.getByRole("button", { name: "Edit: Company", exact: true }).click();
      await theirs.getByRole("textbox", { name: "Company", exact: true }).fill(value);
      await theirs.keyboard.press("Enter");
    };
    const editor = mine.getByRole("textbox", { name: "Company" });
    await cell(mine, bea, "company").dblclick();
    await editor.fill("Mine");
    await change("Theirs");
    await mine.getByRole("alert").getByText("Ana changed this to Theirs").waitFor();
    assert.equal(await editor.inputValue(), "Mine");
    await checkPage(mine);
    const refused = requestsOf(mine, `/leads/${bea}`);
    await mine.getByRole("button", { name: "Keep mine" }).click();
    await mine.getByRole("button", { name: "Keep mine" }).waitFor({ state: "detached" });
    await editor.press("Enter");
    await cell(mine, bea, "company").getByText("Mine").waitFor();
    await theirs.getByText("Mine").first().waitFor();
    // one write, which is not refused: the version is the present one
    assert.deepEqual(
      refused.map((request) => request.method()),
      ["PATCH"],
    );

    await cell(mine, bea, "company").dblclick();
    await editor.fill("Mine again");
    await change("Theirs again");
    await mine.getByRole("button", { name: "Take theirs" }).click();
    await cell(mine, bea, "company").getByText("Theirs again").waitFor();

    // an editor in which nothing was typed follows
    await cell(mine, bea, "company").dblclick();
    await change("Third");
    while ((await editor.inputValue()) !== "Third") await mine.waitForTimeout(20);
    await editor.press("Escape");
    // another field is no conflict
    await cell(mine, caio, "company").dblclick();
    await editor.fill("New");
    await the.maker.send("PATCH", `/api/v1/leads/${caio}`, { score: 5 });
    await mine.waitForTimeout(600);
    assert.equal(await mine.getByRole("alert").count(), 0);
    await editor.press("Enter");
    await cell(mine, caio, "company").getByText("New").waitFor();
    assert.deepEqual(await the.sql("SELECT company, score FROM store.lead WHERE id = $1", [caio]), [
      { company: "New", score: 5 },
    ]);
  },
);
