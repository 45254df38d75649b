import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { large } from "../large.ts";
import { seedLeads } from "./support/leads-world.ts";
import { linesOf } from "./support/lines.ts";
import { checkPage, PHONE, panelWorld } from "./support/panel.ts";

const palette = async (page: Page) => {
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder("Search leads, pages and commands").waitFor();
};

test("Ctrl K finds the project's leads by name, e-mail, phone and company as one types, and Enter opens the first", async () => {
  await using the = await panelWorld();
  await seedLeads(the, 40);
  const other = await the.newProject(the.person, "Second Project");
  await the.sql(
    "INSERT INTO store.lead (project_id, id, name) VALUES ($1, 'lead_other', 'Gabriela Elsewhere')",
    [other.id],
  );
  const page = await the.open("dashboard");
  await palette(page);
  const found = page.getByRole("dialog").locator("[data-action]");
  for (const typed of ["gabriela gomes 7", "lead7@example.org", "+55 11 900000007"]) {
    await page.getByPlaceholder("Search leads, pages and commands").fill(typed);
    await found.filter({ hasText: "Gabriela Gomes 7" }).waitFor();
    assert.equal(await found.count(), 1, typed);
  }
  await page.getByPlaceholder("Search leads, pages and commands").fill("lumen");
  await found.filter({ hasText: "Lumen" }).first().waitFor();
  await checkPage(page, "palette with leads");
  await page.getByPlaceholder("Search leads, pages and commands").fill("gabriela");
  await found.filter({ hasText: "Gabriela" }).first().waitFor();
  assert.equal(await found.filter({ hasText: "Elsewhere" }).count(), 0);
  await page.getByPlaceholder("Search leads, pages and commands").fill("nobody like that");
  await page.getByText("No results. Try a different search.").waitFor();
  await page.getByPlaceholder("Search leads, pages and commands").fill("gabirela gomes 7");
  await found.filter({ hasText: "Gabriela Gomes 7" }).waitFor();
  // a style shows the title of a group
  await page.locator('[style*="No lead matches. Similar leads"]').waitFor();
  await page.getByPlaceholder("Search leads, pages and commands").fill("Gabriela Gomes 7");
  await found.filter({ hasText: "Gabriela Gomes 7" }).waitFor();
  await page.locator("[data-action][data-selected]").waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Gabriela Gomes 7" }).waitFor();
});

large(
  "the palette shows only what was found for the last text, however late earlier answers come",
  async () => {
    await using the = await panelWorld();
    await seedLeads(the, 40);
    const page = await the.open("dashboard");
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/leads/search", async (route) => {
      const { search } = route.request().postDataJSON() as { search?: string };
      if (search === "gab") await held;
      await route.continue().catch(() => undefined);
    });
    await palette(page);
    const input = page.getByPlaceholder("Search leads, pages and commands");
    const asked = page.waitForRequest((request) => request.postData()?.includes('"gab"') === true);
    await input.fill("gab");
    const request = await asked;
    const cancelled = page.waitForEvent("requestfailed", (failed) => failed === request);
    await input.fill("heitor");
    await cancelled;
    const found = page.getByRole("dialog").locator("[data-action]");
    await found.filter({ hasText: "Heitor" }).first().waitFor();
    release();
    assert.equal(await found.filter({ hasText: "Gabriela" }).count(), 0);
  },
);

large(
  "the list counts all leads exactly once they are shown, and keeps the bound if that takes too long",
  async () => {
    await using the = await panelWorld();
    await seedLeads(the, 10_007);
    const page = await the.open("leads");
    await page.getByText("10,007 leads", { exact: true }).waitFor();
    await page.route("**/leads/count", async (route) => {
      const { exact } = route.request().postDataJSON() as { exact?: boolean };
      if (exact !== true) await route.continue();
      else
        await route.fulfill({
          status: 503,
          json: { error: { code: "too_slow", message: "…", details: [] }, request_id: "req_x" },
        });
    });
    await page.reload();
    await page.getByText("10,000+ leads", { exact: true }).waitFor();
  },
);

test("a change by more than 999 % is written as such, wherever the dashboard compares periods", async () => {
  await using the = await panelWorld();
  await the.sql(
    `INSERT INTO store.lead (project_id, id, name, status, value, created_at)
     SELECT $1, 'lead_' || lpad(n::text, 26, '0'), 'Lead ' || n, 'new', CASE WHEN n = 0 THEN 1 ELSE 90000 END,
       now() - make_interval(days => CASE WHEN n = 0 THEN 45 ELSE 3 END) FROM generate_series(0, 40) AS n`,
    [the.project.id],
  );
  const page = await the.open("dashboard");
  await page.getByText(/40 new leads, >999% more than the previous period/).waitFor();
  // Each figure is loaded on its own.
  await page.waitForFunction("document.querySelector('main').innerText.split('>999%').length > 3");
  const text = await page.locator("main").innerText();
  assert.ok(text.split(">999%").length > 3, text);
  const percents = [...text.matchAll(/([\d.,]+)\s?%/g)].map(([, figure = ""]) =>
    Number(figure.replaceAll(",", "")),
  );
  assert.ok(
    percents.every((each) => each <= 999),
    String(percents),
  );
});

large(
  "an amount of money stands on one line, on the dashboard, on cards and in a lead, on a phone as well",
  async () => {
    await using the = await panelWorld({ alone: true });
    await the.sql("UPDATE store.project SET currency = 'BRL'");
    await the.sql(
      `INSERT INTO store.lead (project_id, id, name, status, value, currency, owner_id, created_at)
     SELECT $1, 'lead_' || lpad(n::text, 26, '0'), 'Lead ' || n, 'new', 123456789012.34, 'BRL', $2, now() - interval '1 hour'
     FROM generate_series(1, 3) AS n`,
      [the.project.id, the.person.id],
    );
    for (const size of [{ width: 1_280, height: 800 }, PHONE, { width: 320, height: 640 }]) {
      for (const screen of ["dashboard", "leads", "board", `leads/lead_${"0".repeat(25)}1?pane=facts`]) {
        const page = await the.open(screen, { size, language: "pt-BR" });
        await page.locator("main").getByText(/R\$/).filter({ visible: true }).first().waitFor();
        const amounts = await linesOf(page, /R\$\s?[\d.,]+/);
        assert.ok(amounts.length > 0, `${screen} at ${size.width}`);
        for (const [amount, lines] of amounts) {
          assert.equal(lines, 1, `${amount} on ${screen} at ${size.width}`);
          assert.doesNotMatch(amount, / /, "its space does not break");
        }
        await page.context().close();
      }
    }
  },
);
