import assert from "node:assert/strict";
import { large } from "../../large.ts";
import { companies } from "../support/datasets-seed.ts";
import { checkPage, PHONE, panelWorld, shortcutsWork } from "../support/panel.ts";

large(
  "ten thousand rows: few of them are in the document, and search, filter and order stand in the address",
  async () => {
    await using the = await panelWorld();
    const { key, id } = await companies(the, 0);
    await the.sql(
      `INSERT INTO store.dataset_row (project_id, dataset_id, id, cells, link0)
     SELECT $1, $2, 'row_' || lpad(to_hex(n), 26, '0'), jsonb_build_object('c1', 'Company ' || n, 'c2', n || '.example',
       'c3', 'contact-' || n || '@example.org', 'c5', n), 'contact-' || n || '@example.org'
     FROM generate_series(1, 10000) AS n`,
      [the.project.id, id],
    );
    const made = await key.send("POST", "/api/v1/leads", {
      name: "Lia Prado",
      email: "contact-9999@example.org",
    });
    const { id: lead } = (await made.json()) as { id: string };
    const page = await the.open(`datasets/${id}?sort=-seats`);
    await page.getByText("10,000 rows").waitFor();
    const first = page.locator('tr[data-row="0"]');
    await first.getByText("Company 10000").waitFor();
    const nodes = async () =>
      Number(await page.evaluate("document.querySelectorAll('[role=grid] *').length"));
    const before = await nodes();
    const scrollTo = (top: number) =>
      page.evaluate(`document.querySelector("[role=grid]").scrollTo(0, ${top})`);
    for (let row = 200; row <= 1_000; row += 100) {
      // The list is as long as what was loaded: scroll to its end repeatedly.
      for (
        let turn = 0;
        turn < 400 && (await page.locator(`tr[data-row="${row}"]`).count()) === 0;
        turn += 1
      ) {
        await scrollTo(row * 40);
        await page.waitForTimeout(40);
      }
      await page.locator(`tr[data-row="${row}"]`).waitFor();
    }
    assert.ok((await nodes()) < before + 600, `${before} → ${await nodes()}`);
    assert.ok((await page.locator("tr[data-row]").count()) < 60);

    await scrollTo(0);
    await page.getByRole("button", { name: /^Sort by Seats/ }).click();
    await first.getByText("Company 10000").waitFor({ state: "detached" });
    await page.getByRole("searchbox", { name: "Search rows" }).fill("9999.example");
    await page.getByText("1 row", { exact: true }).waitFor();
    assert.match(page.url(), /q=9999\.example/);

    // The row links to its lead and the lead to its dataset.
    await page.getByRole("link", { name: "Open lead: 9999.example" }).click();
    await page.getByRole("heading", { name: "Lia Prado" }).waitFor();
    const linked = page.getByRole("region", { name: "Companies" });
    await linked.getByText("9999.example").waitFor();
    await linked.getByRole("link", { name: "Companies" }).click();
    await page.getByRole("heading", { name: "Companies", level: 1 }).waitFor();
    assert.equal(new URL(page.url()).pathname, `/projects/${the.project.id}/datasets/${id}`);
    assert.ok(lead.startsWith("lead_"));

    await shortcutsWork(page);
    await page.keyboard.press("f");
    const panel = page.getByRole("dialog", { name: "Filter" });
    await panel.getByText("10,000 matching rows").waitFor();
    await panel.getByRole("button", { name: "Condition", exact: true }).click();
    await panel.getByRole("combobox", { name: "Field" }).or(panel.getByLabel("Field")).first().fill("Seats");
    await page.getByRole("option", { name: "Seats" }).click();
    await panel.getByLabel("Value: Seats").fill("9991");
    await panel.getByText("10 matching rows").waitFor();
    await checkPage(page, "filter of rows");
    await panel.getByRole("button", { name: "Done" }).click();
    await page.getByText("10 rows", { exact: true }).waitFor();
    await page.getByRole("list", { name: "Filter" }).getByText(/Seats/).waitFor();
    await page.reload();
    await page.getByText("10 rows", { exact: true }).waitFor();
  },
);

large("a viewer on a phone, in Portuguese, reads hostile rows as text and is offered no change", async () => {
  await using the = await panelWorld();
  const key = await the.key(["leads:read", "leads:write", "datasets:read", "datasets:write"]);
  const hostile = [
    "<img src=x onerror=alert(1)>",
    "\u202egnp.exe",
    "z\u200bero\u200bwidth",
    `javascript:alert(1)//${"x".repeat(10_000)}`,
    '=HYPERLINK("http://evil.example")',
  ];
  const columns = hostile.slice(0, 3).map((label, i) => ({ key: `c_${i}`, label, type: "text" }));
  const body = { key: "odd", name: hostile[0], columns: [...columns, { key: "extra", type: "json" }] };
  assert.equal((await key.send("POST", "/api/v1/datasets", body)).status, 201);
  for (const text of hostile) {
    const row = { c_0: text, c_1: text, c_2: text, extra: { [text.slice(0, 50)]: text.slice(0, 500) } };
    assert.equal((await key.send("POST", "/api/v1/datasets/odd/rows", row)).status, 201);
  }
  const viewer = await the.newPerson("Vera");
  await the.join(viewer, the.project.id, "viewer");
  const visit = { as: viewer, size: PHONE, language: "pt-BR" } as const;
  const page = await the.open("datasets", visit);
  page.on("dialog", () => assert.fail("a script ran"));
  await page.getByText("5 linhas · 4 colunas").waitFor();
  assert.equal(await page.getByRole("button", { name: "Novo conjunto de dados" }).count(), 0);
  await checkPage(page, "list");
  await page.getByRole("link", { name: hostile[0] ?? "" }).click();
  await page.getByText("5 linhas", { exact: true }).waitFor();
  assert.equal(await page.getByRole("button", { name: /Adicionar|Importar|Mais ações/ }).count(), 0);
  assert.equal(await page.getByRole("checkbox").count(), 0);
  await checkPage(page, "rows on a phone");
  await page
    .getByText(hostile[0] ?? "")
    .nth(1)
    .click();
  const row = page.getByRole("dialog");
  await row.getByText("Adicionada").waitFor();
  assert.equal(await row.getByRole("textbox").count(), 0);
  await checkPage(page, "a row on a phone");
  await page.keyboard.press("Escape");
  await page.getByRole("tab", { name: "Colunas" }).click();
  await page.getByText("Você precisa do papel de Editor para alterar colunas.").waitFor();
  assert.equal(await page.getByRole("button", { name: /Editar|Excluir|Mover|Adicionar/ }).count(), 0);
  await checkPage(page, "columns on a phone");

  // The owner, on a desktop, in the grid and its editor.
  const desk = await the.open("datasets/odd");
  desk.on("dialog", () => assert.fail("a script ran"));
  await desk
    .locator('tr[data-row="4"]')
    .getByText(hostile[0] ?? "")
    .first()
    .waitFor();
  await checkPage(desk, "hostile grid");
  await desk.locator('tr[data-row="1"] td[data-column="c_0"]').dblclick();
  await desk.getByRole("dialog").getByRole("textbox").first().waitFor();
  assert.equal(await desk.locator("img[src=x]").count(), 0);

  // A change that rewrites the rows is shown until it is done.
  const changing = (change: string, beat: string) =>
    the.sql(`UPDATE store.dataset SET change = ${change}, change_beat = ${beat}`);
  await changing(`'{"token": "x", "columns": {}}'`, "now()");
  await desk.reload();
  await desk.getByText("Changing columns").waitFor();
  await checkPage(desk, "a change under way");
  await changing("NULL", "NULL");
  await desk.getByText("Changing columns").waitFor({ state: "detached" });

  // A failed call shows an error and a retry button.
  let refuse = true;
  await desk.route("**/v1/datasets/odd", async (route) => {
    const problem = { error: { code: "not_found", message: "Gone.", details: [] }, request_id: "req_42" };
    return refuse ? await route.fulfill({ status: 404, json: problem }) : await route.continue();
  });
  await desk.reload();
  await desk.getByText("req_42").waitFor();
  refuse = false;
  await desk.getByRole("button", { name: "Try again" }).click();
  await desk.getByText("5 rows", { exact: true }).waitFor();
});
