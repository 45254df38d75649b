import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { large } from "../large.ts";
import type { KeyActor } from "../world.ts";
import { seedDashboard } from "./support/dashboard-seed.ts";
import { checkPage, type PanelWorld, PHONE, panelWorld } from "./support/panel.ts";

const HOSTILE = [
  "<img src=x onerror=alert(1)>",
  "\u202eevil\u202c",
  "a\u200bb",
  "x".repeat(500),
  "{{7*7}}",
  "=1+1",
];

/** Returns the contents of tables and tiles: their links, and their figures as written. */
const shown = async (page: Page) =>
  (await page.evaluate(`[...document.querySelectorAll("main section, main [class*=tiles] > *")].flatMap((part) => {
    const title = part.querySelector("h2")?.innerText ?? "";
    const rows = [...part.querySelectorAll("tbody tr")];
    const heads = [...part.querySelectorAll("thead th")].map((head) => head.innerText);
    if (rows.length === 0 && part.localName !== "section") {
      return [{ title, name: title, href: part.querySelector("a")?.href ?? null, figure: part.querySelector("p")?.innerText ?? "" }];
    }
    return rows.map((row) => ({ title, name: row.querySelector("th").innerText, href: row.querySelector("a")?.href ?? null,
      figure: row.children[Math.max(1, heads.findIndex((head) => /^(Leads|Won)$/.test(head)))].innerText }));
  })`)) as { title: string; name: string; href: string | null; figure: string }[];

const settled = async (page: Page) => {
  await page.locator("main section table").first().waitFor();
  // Evaluated from outside: the page's content security policy forbids eval.
  while (await page.evaluate(`document.querySelector("main [aria-busy=true]") !== null`))
    await page.waitForTimeout(25);
};

/** Compares every figure that counts leads with the count of the filter that it links to. */
async function checkFigures(page: Page, key: KeyActor, least: number): Promise<void> {
  const figures = (await shown(page)).filter(
    ({ title, name }) => title !== name || /^(New leads|Won|Became won)$/.test(name),
  );
  assert.ok(figures.length >= least, `${figures.length} figures`);
  for (const { title, name, href, figure } of figures) {
    assert.ok(href !== null, `${title}: ${name} leads nowhere`);
    const filter: unknown = JSON.parse(new URL(href).searchParams.get("filter") ?? "null");
    const counted = await key.send("POST", "/api/v1/leads/count", { filter, exact: true });
    const { count } = (await counted.json()) as { count: number };
    assert.equal(count, Number(figure.replaceAll(",", "")), `${title}: ${name} ${JSON.stringify(filter)}`);
  }
}

/** Seeds a world in São Paulo with leads of many sources. */
async function seeded(the: PanelWorld, count: number): Promise<void> {
  const owners = [the.person.id];
  for (const name of ["Ana", HOSTILE[0] ?? ""]) {
    const person = await the.newPerson(name);
    await the.join(person, the.project.id, "editor");
    owners.push(person.id);
  }
  await the.sql(
    "UPDATE store.project SET timezone = 'America/Sao_Paulo', currency = 'BRL' WHERE project_id = $1",
    [the.project.id],
  );
  await seedDashboard(the, count, [...owners, "per_gone"]);
  const changed = await the.sql(
    `SELECT 'lead_' || lpad(to_hex(n + 1), 26, '0') AS id, ($1::text[])[1 + n] AS source, 'Campaign ' || n AS campaign,
       greatest(now() - interval '1 hour' - n * interval '1 minute', date_trunc('day', now(), 'America/Sao_Paulo')) AS at
     FROM generate_series(0, 11) AS n`,
    [[...HOSTILE, "WEBSITE", "Wébsite", "b", "c", "d", "e"]],
  );
  await the.sql(
    `UPDATE store.lead SET source = n.source, campaign = n.campaign, created_at = n.at
     FROM jsonb_to_recordset($1::jsonb) AS n (id text, source text, campaign text, at timestamptz) WHERE lead.id = n.id`,
    [JSON.stringify(changed)],
  );
}

test("every tile, bar and row leads to exactly the leads that it counts, in the project's zone and in another", async () => {
  await using the = await panelWorld();
  await seeded(the, 500);
  const key = await the.key(["leads:read"]);
  const page = await the.open("dashboard?show=table");
  page.on("dialog", () => assert.fail("a script ran"));
  await settled(page);
  await checkFigures(page, key, 60);
  await checkPage(page, "with a table");
  const filter = JSON.stringify({
    or: [
      { field: "status", op: "eq", value: "won" },
      { field: "campaign", op: "is_empty" },
    ],
  });
  const other = `period=90&by=week&zone=Pacific%2FAuckland&show=table&filter=${encodeURIComponent(filter)}`;
  await page.goto(`${page.url().split("?")[0]}?${other}`);
  await settled(page);
  await checkFigures(page, key, 40);
  assert.equal(await page.locator("img[src=x]").count(), 0);

  await page.goto(`${page.url().split("?")[0]}?period=7`);
  await settled(page);
  const [tile] = await shown(page);
  await page.getByRole("link", { name: "New leads" }).click();
  await page.getByText(`${tile?.figure} leads`, { exact: true }).waitFor();
  await page.goBack();
  await settled(page);
  const bars = page.locator(".recharts-bar-rectangle path");
  await bars.last().click();
  await page.waitForURL(/leads\?filter=/);
  await page.getByText("12 leads", { exact: true }).waitFor();
  await page.goBack();
  await settled(page);
  await page.getByRole("button", { name: /^Period: Last 7 days/ }).click();
  await page.getByRole("dialog", { name: "Period" }).waitFor();
  await checkPage(page, "choosing a period");
  await page.getByRole("button", { name: "This month" }).click();
  await page.waitForURL(/period=this_month/);
  await settled(page);
  await page.getByRole("button", { name: "Won and lost" }).click();
  await checkPage(page, "saying what is won");
  await page.getByRole("combobox", { name: "Lost" }).focus();
  await page.keyboard.press("ArrowDown");
  await page.getByRole("option", { name: "qualified" }).click();
  await page.getByText("Meaning saved").first().waitFor();
  const { meanings } = (await (await key.send("GET", "/api/v1/statuses")).json()) as { meanings: object };
  assert.deepEqual(meanings, { new: "open", contacted: "open", qualified: "lost", won: "won", lost: "lost" });
});

large(
  "a lead at half past eleven in the evening falls on its own day, where clocks change too, and by another clock on another",
  async () => {
    await using the = await panelWorld({ alone: true });
    await the.sql("UPDATE store.project SET timezone = 'America/New_York'");
    const add = async (at: string, times: number) =>
      await the.sql(
        `INSERT INTO store.lead (project_id, id, status, created_at)
       SELECT $1, 'lead_' || substr(md5($2 || n), 1, 26), 'new', $2::timestamp AT TIME ZONE 'America/New_York' FROM generate_series(1, $3::int) n`,
        [the.project.id, at, times],
      );
    await add("2026-03-07 23:30", 1);
    await add("2026-03-08 00:10", 2);
    await add("2026-03-08 23:30", 3);
    await add("2026-03-09 00:00", 4);
    await add("2026-03-10 00:00", 5);
    const key = await the.key(["leads:read"]);
    const days = async (query: string) => {
      const page = await the.open(`dashboard?period=custom&from=2026-03-07&to=2026-03-09&show=table${query}`);
      await settled(page);
      await checkFigures(page, key, 4);
      const rows = (await shown(page)).filter(({ title, name }) => title === "New leads" && name !== title);
      return rows.map(({ name, figure }) => [name, figure]);
    };
    assert.deepEqual(await days(""), [
      ["Mar 7", "1"],
      ["Mar 8", "5"],
      ["Mar 9", "4"],
    ]);
    assert.deepEqual(await days("&zone=Europe/Lisbon"), [
      ["Mar 7", "0"],
      ["Mar 8", "3"],
      ["Mar 9", "7"],
    ]);
  },
);

test("four figures are asked at once, then six; they end when another period is chosen, and one that fails leaves the others", async () => {
  await using the = await panelWorld();
  await seeded(the, 60);
  const page = await the.open("exports");
  const ended: string[] = [];
  const answered: string[] = [];
  let held: (() => void)[] = [];
  let mode: "hold" | "hold later ones" | "fail" = "hold";
  const isFigure = /leads\/(aggregate|response-times)$/;
  page.on("requestfailed", (request) => isFigure.test(request.url()) && ended.push(request.url()));
  page.on("requestfinished", (request) => isFigure.test(request.url()) && answered.push(request.url()));
  await page.route(isFigure, async (route) => {
    const isResponse = route.request().url().endsWith("response-times");
    const isLater = isResponse || /alike|owner_id/.test(route.request().postData() ?? "");
    if (mode === "hold" || (mode === "hold later ones" && isLater)) {
      await new Promise<void>((resolve) => held.push(resolve));
    }
    const body = { error: { code: "too_slow", message: "Too slow.", details: [] }, request_id: "req_7" };
    if (mode === "fail" && isResponse)
      await route.fulfill({ status: 422, json: body }).catch(() => undefined);
    else await route.continue().catch(() => undefined);
  });
  const choose = async (name: string) => {
    await page.getByRole("button", { name: /^Period/ }).click();
    await page.getByRole("button", { name }).click();
  };
  /** Waits for a list to reach this length: the browser reports requests and their ends with a delay. */
  const reached = async (list: () => readonly unknown[], count: number) => {
    for (let turn = 0; turn < 500 && list().length < count; turn += 1) await page.waitForTimeout(20);
    assert.equal(list().length, count);
  };
  const holding = async (count: number) => {
    await reached(() => held, count);
    return held;
  };
  await page.getByRole("link", { name: "Dashboard" }).click();
  await holding(4);
  await checkPage(page, "loading");
  held = [];
  await choose("Last 90 days");
  const first = await holding(4);
  await reached(() => ended, 4);
  [held, mode] = [[], "hold later ones"];
  for (const go of first) go();
  await page.getByRole("row", { name: /qualified/ }).waitFor();
  await reached(() => answered, 4);
  await holding(6);
  mode = "fail";
  await choose("Last 365 days");
  await page.getByText("req_7").first().waitFor();
  await reached(() => ended, 10);
  await page.getByRole("row", { name: /Webinar: first steps/ }).waitFor();
  await checkPage(page, "one that failed");
});

large(
  "a project without leads says what to do first, as far as the role allows; a viewer on a phone reads Portuguese",
  async () => {
    await using the = await panelWorld();
    const viewer = await the.newPerson("Vera");
    await the.join(viewer, the.project.id, "viewer");
    const first = await the.open("dashboard");
    await first.getByRole("heading", { name: "Your leads will appear here" }).waitFor();
    for (const [name, href] of [
      ["Import leads", "/imports"],
      ["See how to connect", "/settings/overview"],
      ["Create key", "/settings/api-keys"],
    ] as const) {
      const link = first.getByRole("link", { name });
      assert.equal(await link.getAttribute("href"), `/projects/${the.project.id}${href}`);
    }
    await checkPage(first, "empty");
    const phone = { as: viewer, size: PHONE, language: "pt-BR" } as const;
    const none = await the.open("dashboard", phone);
    await none.getByText("Você precisa do papel de Editor para adicionar leads.", { exact: false }).waitFor();
    assert.equal(await none.getByRole("main").getByRole("link").count(), 0);

    await seeded(the, 80);
    const page = await the.open("dashboard?period=90", phone);
    page.on("dialog", () => assert.fail("a script ran"));
    await settled(page);
    await page.getByRole("heading", { name: "Funil por status" }).waitFor();
    await page
      .getByRole("link", { name: HOSTILE[0] ?? "" })
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Novos leads: Mostrar como tabela" }).click();
    await page.getByRole("columnheader", { name: "Anterior" }).waitFor();
    await page.mouse.move(1, 1);
    await page.getByRole("tooltip").waitFor({ state: "hidden" });
    await checkPage(page, "on a phone, as a table");
    const other = await the.open("dashboard?period=custom&from=2020-01-01&to=2020-01-31", phone);
    await other.getByText("Nenhum lead neste período.").first().waitFor();
  },
);
