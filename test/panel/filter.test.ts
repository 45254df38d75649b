import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { large } from "../large.ts";
import { checkPage, type PanelWorld, PHONE, panelWorld } from "./support/panel.ts";

// The board has the same filter panel and chips as every screen.
const SCREEN = "board";

const filterIn = (page: Page): unknown =>
  JSON.parse(new URL(page.url()).searchParams.get("filter") ?? "null");

const shot = async (page: Page, name: string) => {
  const { SHOTS } = process.env;
  if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/${name}.png` });
};

async function seed(the: PanelWorld): Promise<void> {
  const key = await the.key(["leads:read", "leads:write"]);
  const lead = (i: number) => ({
    name: `Lead ${i}`,
    status: i % 2 === 0 ? "new" : "won",
    source: ["Google", "Indicação", "Facebook"][i % 3],
    value: i * 100,
    tags: i % 4 === 0 ? ["vip"] : [],
  });
  const items = Array.from({ length: 24 }, (_, i) => lead(i));
  assert.equal((await key.send("POST", "/api/v1/leads/bulk", { op: "create", items })).status, 200);
}

const withFilter = (filter: unknown) => `${SCREEN}?filter=${encodeURIComponent(JSON.stringify(filter))}`;
const matches = async (page: Page, count: string) =>
  await page.getByRole("dialog").getByText(`${count} matching leads`).waitFor();

async function choose(page: Page, field: string): Promise<void> {
  const input = page.getByRole("dialog").getByRole("combobox", { name: "Field" }).last();
  await input.fill(field);
  await page.getByRole("option", { name: field, exact: true }).click();
}

test("a filter is built from nothing with the keyboard: it stands in the address, in words, and is counted", async () => {
  await using the = await panelWorld();
  await seed(the);
  const page = await the.open(SCREEN);
  await page.getByRole("heading", { name: "new" }).waitFor();
  await page.keyboard.press("f");
  const dialog = page.getByRole("dialog");
  await matches(page, "24");
  await checkPage(page, "empty panel");
  await dialog.getByRole("button", { name: "Condition", exact: true }).press("Enter");
  await choose(page, "Status");
  await dialog.getByRole("combobox", { name: "Value: Status" }).click();
  await page.getByRole("option", { name: "won" }).click();
  await page.keyboard.press("Escape");
  await matches(page, "12");
  await dialog.getByText("status is one of won").waitFor();
  assert.deepEqual(filterIn(page), { field: "status", op: "in", value: ["won"] });

  await dialog.getByRole("button", { name: "Condition", exact: true }).press("Enter");
  await choose(page, "Value");
  await dialog.getByRole("textbox", { name: "Value: Value" }).fill("1,500");
  await matches(page, "5");
  await dialog.getByRole("button", { name: "Options for value" }).click();
  await page.getByRole("menuitem", { name: "Exclude these (not)" }).waitFor();
  await checkPage(page, "menu of a condition");
  await page.getByRole("menuitem", { name: "Exclude these (not)" }).click();
  await matches(page, "7");
  assert.deepEqual(filterIn(page), {
    and: [{ field: "status", op: "in", value: ["won"] }, { not: { field: "value", op: "gte", value: 1500 } }],
  });
  await checkPage(page, "two conditions");
  await dialog.getByText("Any of these", { exact: true }).click();
  await matches(page, "20");
  await dialog.getByRole("button", { name: "Remove: status" }).click();
  await matches(page, "15");
  await dialog.getByRole("button", { name: "Clear all" }).click();
  await matches(page, "24");
  assert.equal(new URL(page.url()).searchParams.get("filter"), null);
  await page.goBack();
  await page.getByRole("dialog").getByText("15 matching leads").waitFor();
});

large(
  "events, groups, views, dates and what has no editor stand in the panel and come out as they were",
  async () => {
    await using the = await panelWorld();
    await seed(the);
    const key = await the.key(["leads:read", "leads:write"]);
    const made = await key.send("POST", "/api/v1/views", {
      name: "Only <b>Google</b>",
      query: { filter: { field: "source", op: "eq", value: "Google" } },
    });
    const view = ((await made.json()) as { id: string }).id;
    const filter = {
      and: [
        { view },
        {
          or: [
            { field: "value", op: "between", value: [100, 900.5] },
            { not: { field: "tags", op: "has_any", value: ["vip"] } },
          ],
        },
        {
          event: {
            type: ["lead.created", "email.*"],
            count: { op: "gte", value: 1 },
            occurred: { op: "in_last", value: { n: 2, unit: "week" } },
            where: { not: { field: "data.seats", op: "gt", value: 3 } },
          },
        },
        { field: "created_at", op: "between", value: ["2020-01-01", "2090-01-31"] },
        { field: "created_at", op: "after", value: "2020-01-01T00:00:00+00:00" },
        { field: "name", op: "in", value: Array.from({ length: 300 }, (_, i) => `Lead ${i}`) },
        { not: { not: { field: "status", op: "neq", value: "lost" } } },
      ],
    };
    for (const size of [undefined, PHONE]) {
      const page = await the.open(withFilter(filter), size === undefined ? {} : { size });
      await page.getByRole("button", { name: "Filter (8)" }).click();
      await matches(page, "6");
      await shot(page, `filter-all-${size === undefined ? "desk" : "phone"}`);
      await checkPage(page, "every kind");
      assert.deepEqual(filterIn(page), filter);
      const dialog = page.getByRole("dialog");
      assert.equal(
        await dialog.getByRole("combobox", { name: "Saved view" }).inputValue(),
        "Only <b>Google</b>",
      );
      await dialog.getByLabel("How often").selectOption("never");
      await matches(page, "0");
      const [, , event] = (filterIn(page) as { and: { event?: object }[] }).and;
      assert.deepEqual(event, { event: { ...filter.and[2]?.event, count: { op: "eq", value: 0 } } });
    }
  },
);

test("the chip of an event shows whether it happened in a period, or did not", async () => {
  await using the = await panelWorld();
  await seed(the);
  const occurred = (op: string) => ({ op, value: { n: 180, unit: "day" } });
  const filter = {
    and: [
      { event: { type: "email.opened", occurred: occurred("in_last") } },
      { event: { type: "email.opened", occurred: occurred("not_in_last") } },
    ],
  };
  const page = await the.open(withFilter(filter));
  const chips = page.getByRole("list", { name: "Filter" });
  await chips.getByText("Email opened: at least once in the last 180 days").waitFor();
  await chips.getByText("Email opened: never in the last 180 days").waitFor();
});

test("an error is shown at its condition, and by the lists too", async () => {
  await using the = await panelWorld();
  await seed(the);
  const filter = {
    and: [
      { field: "status", op: "eq", value: "new" },
      { field: "custom.gone", op: "eq", value: "x" },
    ],
  };
  const page = await the.open(withFilter(filter));
  await page.getByRole("button", { name: "Filter (2)" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("is not a field of this project's leads").waitFor();
  await dialog.getByText("This filter has errors").waitFor();
  await shot(page, "filter-fault");
  await checkPage(page, "a fault");
  await dialog.getByRole("button", { name: "Remove: custom.gone" }).click();
  await matches(page, "12");
  assert.deepEqual(filterIn(page), { and: [{ field: "status", op: "eq", value: "new" }] });
});

large("frequent values are offered, and while the count is updated the previous number stays", async () => {
  await using the = await panelWorld();
  await seed(the);
  const page = await the.open(withFilter({ field: "source", op: "in", value: ["Google"] }));
  await page.getByRole("button", { name: "Filter (1)" }).click();
  await matches(page, "8");
  const dialog = page.getByRole("dialog");
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  await page.route("**/v1/leads/count", async (route) => {
    await gate;
    await route.continue();
  });
  await dialog.getByRole("combobox", { name: "Value: Source" }).click();
  await page.getByRole("option", { name: "Facebook" }).click();
  const count = dialog.getByRole("status").filter({ hasText: "matching leads" });
  await dialog.getByText("source is one of Google or Facebook").waitFor();
  assert.equal(await count.getAttribute("data-stale"), "true");
  assert.match(await count.innerText(), /^8 /);
  open();
  await matches(page, "16");
});

large("chips take conditions away one by one, in Portuguese too, and hostile values are text", async () => {
  await using the = await panelWorld();
  await seed(the);
  const hostile = ["<img src=x onerror=alert(1)>", "\u202eevil", "\u200b\u200b", "x".repeat(10_000)];
  const filter = {
    and: [
      { field: "source", op: "in", value: ["Google", "Indicação"] },
      { field: "created_at", op: "in_last", value: { n: 1, unit: "month" } },
      ...hostile.map((value) => ({ field: "company", op: "neq", value })),
      { field: hostile[0], op: hostile[1], value: hostile[2] },
    ],
  };
  for (const size of [undefined, PHONE]) {
    const page = await the.open(withFilter(filter), {
      language: "pt-BR",
      ...(size === undefined ? {} : { size }),
    });
    page.on("dialog", () => assert.fail("a script ran"));
    const chips = page.getByRole("list", { name: "Filtro" });
    await chips.getByText("Origem é um destes Google ou Indicação").waitFor();
    await chips.getByText("Criação está no período dos últimos 1 mês").waitFor();
    await shot(page, `chips-${size === undefined ? "desk" : "phone"}`);
    await checkPage(page, "chips");
    await page.getByRole("button", { name: "Filtro (7)" }).click();
    await page.getByRole("dialog").getByText("Este filtro tem erros").waitFor();
    await checkPage(page, "hostile panel");
    assert.equal(await page.locator("img[src=x]").count(), 0);
    await page.getByRole("button", { name: "Concluir" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await chips.getByRole("button", { name: /Remover condição: Criação/ }).click();
    await page.getByRole("button", { name: "Filtro (6)" }).waitFor();
    assert.equal((filterIn(page) as { and: unknown[] }).and.length, 6);
    await chips.getByRole("button", { name: "Limpar tudo" }).click();
    await page.getByRole("button", { name: "Filtro", exact: true }).waitFor();
  }
});

large(
  "a list whose address has an option that was removed opens, and says which value finds nothing",
  async () => {
    await using the = await panelWorld();
    await seed(the);
    const filter = { or: [{ field: "status", op: "in", value: ["gone", "NEW"] }] };
    const page = await the.open(`leads?filter=${encodeURIComponent(JSON.stringify(filter))}`);
    await page.getByText("“gone” is not an option of Status.").waitFor();
    await page.getByText("12 leads").waitFor();
    assert.equal(await page.getByText("“NEW” is not").count(), 0);
    await checkPage(page, "an option that was removed");
    await page.getByRole("button", { name: /^Remove condition: status/i }).click();
    await page.getByText("24 leads").waitFor();
    assert.equal(await page.getByText("is not an option").count(), 0);
  },
);
