import assert from "node:assert/strict";
import { test } from "node:test";
import { large } from "../../large.ts";
import { world } from "../../world.ts";
import { when } from "../support/using.ts";
import { planted, type Told, told } from "./support/answers.ts";
import { checked, textOf } from "./support/checked.ts";
import { NARROW, shown } from "./support/host.ts";

const WON = when("status", "eq", "won");

/** Calls, and what their views show, in this order. */
const CALLS: readonly [tool: string, args: Record<string, unknown>, shows: RegExp][] = [
  ["find_leads", { limit: 12 }, /^32 leads 1 to 12 of 32 Name .*Show all 12$/],
  ["find_leads", { limit: 5, offset: 30 }, /^32 leads 31 to 32 of 32/],
  ["find_leads", { limit: 5, total: "none" }, /^5 leads or more 1 to 5 Name/],
  ["find_leads", { filter: WON }, /^6 leads All of these: Status won Name Company Source Value/],
  ["find_leads", { detail: "full", limit: 3, sort: ["-score"] }, /bia@example\.com .*R\$125,000\.00/],
  ["find_leads", { filter: when("city", "eq", "Nowhere") }, /^No leads match No lead meets: city is Nowhere/],
  [
    "find_leads",
    { filter: WON, explain: "bia@example.com" },
    /^The lead does not match status is won the lead has qualified/,
  ],
  ["find_leads", { filter: when("nothing", "eq", 1) }, /^The call failed .*"nothing" is not a field/],
  ["summarize_leads", { metrics: ["count", "sum_value"] }, /^Summary Leads 32 Value \(total\)/],
  [
    "summarize_leads",
    { group_by: ["status"], metrics: ["count", "share"] },
    /^Leads by status .*Status Leads Share new 7 21\.9%/,
  ],
  ["summarize_leads", { group_by: ["source", "owner"] }, /^Leads by source and owner .*fair · No owner/],
  [
    "summarize_leads",
    { group_by: ["created_at:month"] },
    /^Leads by month .*Jul 2026 .*Aug 2026 11 Sep 2026 0 Oct 2026/,
  ],
  [
    "summarize_leads",
    { group_by: ["source"], metrics: ["sum_value", "response_hours"] },
    /^Value \(total\) by source .*Answered .* R\$260,000 0 .* Values are in several currencies, which are never added up\.$/,
  ],
  [
    "summarize_leads",
    { group_by: ["first_touch:quarter"] },
    /^Leads by first touch \(quarter\) Overall: 32 1 Q1 2026 0 Q2 2026 1 Q3 2026 No value: 30 /,
  ],
  [
    "summarize_leads",
    { group_by: ["source"], from: "2026-08-01", to: "2026-09-01", compare: true },
    /^Leads by source Aug 1, 2026 to Aug 31, 2026, compared with Jul 1, 2026 to Jul 31, 2026\. Overall: 10 .*referral 10 0 – website 0 10 −100%/,
  ],
  ["summarize_leads", { filter: WON, period: "today", group_by: ["source"] }, /^No leads match/],
  ["summarize_leads", { group_by: ["name"], limit: 2 }, /2 of 31 groups$/],
  ["find_duplicates", { by: "name_and_company" }, /^Possible duplicates 2 leads .*Beatriz Almeida/],
  ["find_duplicates", { by: "email" }, /^No duplicates/],
  [
    "find_duplicates",
    { id: "bia@example.com" },
    /^Possible duplicates Beatriz Almeida Same name and company/,
  ],
  ["read_dataset", {}, /^Datasets Orders orders/],
  ["read_dataset", { dataset: "orders" }, /^3 rows orders Product Price Sold on Chair 99\.5 Jul 1, 2026/],
  ["read_dataset", { dataset: "orders", search: "Sofa" }, /^No rows match orders$/],
  ["read_dataset", { dataset: "nothing" }, /^The call failed No such dataset/],
];

large("every answer that lists or counts is shown, on a desktop and on a phone", async () => {
  await using the = await world();
  const { free } = await planted(the);
  const answers: Told[] = [];
  for (const [tool, args] of CALLS) answers.push(await told(free, tool, args));
  const context = { locale: "en-US", timeZone: "America/Sao_Paulo" };
  await using desktop = await shown("results", { context });
  await using phone = await shown("results", { context, width: NARROW });
  for (const [i, [tool, args, shows]] of CALLS.entries()) {
    const name = `${tool} ${JSON.stringify(args)}`;
    const answer = answers[i];
    if (answer === undefined) throw new Error(name);
    await desktop.answer(answer);
    assert.match(await textOf(desktop), shows, name);
    await checked(desktop, name);
    await phone.answer(answer);
    const wider = await phone.frame.evaluate("document.documentElement.scrollWidth - innerWidth");
    assert.ok(Number(wider) <= 0, `${name} scrolls sideways on a phone by ${wider}`);
  }
  assert.deepEqual(phone.faults, []);
});

test("a table shows ten rows, and all of them at the press of a key; it scrolls by keyboard", async () => {
  await using the = await world();
  const { free } = await planted(the);
  await using view = await shown("results", { width: NARROW });
  await view.answer(await told(free, "find_leads", { limit: 12, sort: ["email"] }));
  const rows = view.frame.locator("tbody tr");
  assert.equal(await rows.count(), 10);
  const before = await view.size();
  const table = view.frame.locator("section[tabindex='0']");
  await table.focus();
  const scrolled = view.frame.evaluate<boolean>(`new Promise((done) => {
    document.activeElement.addEventListener("scroll", () => done(true), { once: true });
    setTimeout(() => done(false), 5000);
  })`);
  await view.page.keyboard.press("ArrowRight");
  assert.ok(await scrolled);
  await view.page.keyboard.press("Tab");
  await view.page.keyboard.press("Enter");
  await rows.nth(11).waitFor();
  await view.page.waitForFunction(`window.host.seen.sizes.at(-1).height > ${before.height}`);
  await view.page.keyboard.press("Enter");
  await rows.nth(11).waitFor({ state: "detached" });
});

test("a chart by month is an image with its sentence, and the same as a table", async () => {
  await using the = await world();
  const { free } = await planted(the);
  await using view = await shown("results");
  const args = { group_by: ["created_at:month"], metrics: ["count", "rate"], where: WON };
  await view.answer(await told(free, "summarize_leads", args));
  const chart = view.frame.getByRole("img", { name: "Leads. Highest: Sep 2026, 11." });
  await chart.waitFor();
  await view.frame.getByRole("button", { name: "Rate" }).click();
  assert.equal(await view.frame.locator("h1").innerText(), "Rate by month");
  await view.frame.getByRole("button", { name: "Table" }).click();
  assert.match(await textOf(view, "table"), /^Month Rate Jul 2026 20% .*Oct 2026 – Nov 2026 0%$/);
  await checked(view, "the chart as a table");
});
