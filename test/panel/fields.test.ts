import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { large } from "../large.ts";
import { checkPage, PHONE, panelWorld } from "./support/panel.ts";

const SCREEN = "settings/fields";

const said = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();
const listed = (page: Page) =>
  page.getByRole("list", { name: "Custom fields in order" }).locator("code").allInnerTexts();

interface Stored {
  key: string;
  label: string;
  type: string;
  options: string[];
  timeline: boolean;
  indexed: boolean;
}

test("an editor adds, orders, changes and deletes fields, warned of what leads lose; untracked fields are kept out of timelines", async () => {
  await using the = await panelWorld();
  const key = await the.key(["leads:read", "leads:write"]);
  const stored = async () =>
    ((await (await key.send("GET", "/api/v1/fields")).json()) as { fields: Stored[] }).fields;
  const editor = await the.newPerson("Edda");
  await the.join(editor, the.project.id, "editor");
  const page = await the.open(SCREEN, { as: editor });
  await page.getByText("No custom fields yet").waitFor();
  await checkPage(page, "no field");

  await page.keyboard.press("c");
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Label").fill("Contract end");
  assert.equal(await dialog.getByLabel("Key").inputValue(), "contract_end");
  await dialog.getByRole("button", { name: "Add field" }).click();
  await said(page, "Field added");
  await dialog.waitFor({ state: "detached" });

  await page.getByRole("button", { name: "New field" }).click();
  await dialog.getByLabel("Label").fill("Plan");
  await dialog.getByLabel("Key").fill("contract_end");
  await dialog.getByText("Another field already uses this key.").waitFor();
  await dialog.getByLabel("Key").fill("Plan!");
  await dialog.getByText("lowercase letters a–z").waitFor();
  await dialog.getByLabel("Key").fill("plan");
  await dialog.getByLabel("Type").click();
  await page.getByRole("option", { name: "Single select" }).click();
  assert.equal(await dialog.getByRole("button", { name: "Add field" }).isEnabled(), false);
  await dialog.getByLabel("Options").fill("free");
  await page.keyboard.press("Enter");
  await dialog.getByLabel("Options").fill("pro");
  await page.keyboard.press("Enter");
  await dialog.getByLabel("Show changes on timelines").uncheck();
  await checkPage(page, "a new field");
  await dialog.getByRole("button", { name: "Add field" }).click();
  await page.getByText("Untracked", { exact: true }).waitFor();

  await page.getByRole("button", { name: "New field" }).click();
  await dialog.getByLabel("Label").fill("Seats");
  await dialog.getByLabel("Type").click();
  await page.getByRole("option", { name: "Whole number" }).click();
  await dialog.getByRole("switch", { name: /^Index/ }).check();
  await dialog.getByRole("button", { name: "Add field" }).click();
  await page.getByText("Indexed", { exact: true }).waitFor();
  const { timeline, options } = (await stored()).find((field) => field.key === "plan") ?? {};
  assert.deepEqual([timeline, options], [false, ["free", "pro"]]);

  await page.getByRole("button", { name: "Move up: Seats" }).click();
  await said(page, "Order saved");
  const order = async () => (await stored()).map((field) => field.key);
  assert.deepEqual(await order(), ["contract_end", "seats", "plan"]);
  await page
    .locator("li", { hasText: "Plan" })
    .getByTitle("Drag to reorder")
    .dragTo(page.locator("li", { hasText: "Contract end" }), { targetPosition: { x: 80, y: 4 } });
  for (let turn = 0; turn < 100 && (await order())[0] !== "plan"; turn += 1) await page.waitForTimeout(100);
  assert.deepEqual(await order(), ["plan", "contract_end", "seats"]);
  await page.locator("ol li").first().locator("code", { hasText: "plan" }).waitFor();
  assert.deepEqual(await listed(page), await order());

  const lead = async (custom: object) =>
    ((await (await key.send("POST", "/api/v1/leads", { name: "Lia", custom })).json()) as { id: string }).id;
  const odd = await lead({ contract_end: "soon", plan: "pro" });
  await lead({ contract_end: "2026-12-01", plan: "free" });
  await key.send("POST", "/api/v1/views", {
    name: "Pro ones",
    query: { filter: { field: "custom.plan", op: "eq", value: "pro" } },
  });
  await page.getByRole("button", { name: "Edit: Contract end" }).click();
  await dialog.getByLabel("Type").click();
  await page.getByRole("option", { name: "Date", exact: true }).click();
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("link", { name: odd }).waitFor();
  await checkPage(page, "a type that does not fit");
  await key.send("PATCH", `/api/v1/leads/${odd}`, { custom: { contract_end: "2027-01-31" } });
  await dialog.getByRole("button", { name: "Save" }).click();
  await said(page, "Field saved");
  assert.equal((await stored())[1]?.type, "date");

  await page.reload();
  await page.getByRole("button", { name: "Delete: Plan" }).click();
  await dialog.getByText("2 leads have a value").waitFor();
  await dialog.getByText("Pro ones").waitFor();
  await dialog.getByText(/History keeps this for 30 days/).waitFor();
  assert.equal(await dialog.getByRole("button", { name: "Delete field" }).isEnabled(), false);
  await checkPage(page, "deleting");
  await dialog.getByLabel("I understand that these values will be deleted").check();
  await dialog.getByRole("button", { name: "Delete field" }).click();
  await said(page, "Field deleted");
  assert.deepEqual(await order(), ["contract_end", "seats"]);
  assert.equal(
    (await the.sql("SELECT FROM store.lead WHERE project_id = $1 AND custom ? 'plan'", [the.project.id]))
      .length,
    0,
  );

  await page.getByRole("button", { name: "Delete: Seats" }).click();
  await dialog.getByText("No lead has a value in this field.").waitFor();
  await dialog.getByRole("button", { name: "Delete field" }).click();
  await page.getByRole("button", { name: "Delete: Seats" }).waitFor({ state: "detached" });

  await page.getByRole("combobox", { name: "Untracked standard fields" }).click();
  await page.getByRole("option", { name: "Score" }).click();
  await said(page, "Untracked fields saved");
  assert.deepEqual(await (await key.send("GET", "/api/v1/quiet-fields")).json(), {
    fields: ["score"],
    next_cursor: null,
  });
  await page.keyboard.press("Escape");
  await page.locator("summary", { hasText: "Standard fields" }).click();
  await page.getByRole("cell", { name: "phone_e164" }).waitFor();
  await checkPage(page, "standard fields");
});

large(
  "a viewer sees fields on a phone, in Portuguese, hostile labels as text, and is offered no change",
  async () => {
    await using the = await panelWorld();
    await the.sql(
      `INSERT INTO store.custom_field (project_id, key, label, type, options, description, timeline, position)
     SELECT $1, 'f' || place, text, CASE WHEN place % 2 = 0 THEN 'enum' ELSE 'text' END,
       CASE WHEN place % 2 = 0 THEN ARRAY[text, text || '2'] ELSE '{}' END, text, place % 2 = 0, place
     FROM unnest($2::text[]) WITH ORDINALITY AS given (text, place)`,
      [
        the.project.id,
        ["<img src=x onerror=hit()>", "\u202eevil", "x".repeat(200), "\u200b\u200d", "{{hit()}}"],
      ],
    );
    await the.sql("UPDATE store.project SET quiet_fields = '{score}' WHERE project_id = $1", [
      the.project.id,
    ]);
    const viewer = await the.newPerson("Vera");
    await the.join(viewer, the.project.id, "viewer");
    const page = await the.open(SCREEN, { as: viewer, size: PHONE, language: "pt-BR" });
    await page.getByText("Você precisa do papel de Editor para alterar campos.").waitFor();
    await page
      .getByRole("region", { name: "Campos não rastreados" })
      .getByText("Pontuação", { exact: true })
      .waitFor();
    assert.equal(await page.getByRole("button", { name: /Novo campo|Editar|Excluir|Mover/ }).count(), 0);
    assert.equal(await page.locator("img[src=x]").count(), 0);
    await checkPage(page);

    const owner = await the.open(SCREEN, { size: PHONE });
    await owner.getByRole("button", { name: "Edit: {{hit()}}" }).waitFor();
    await checkPage(owner, "an owner's phone");
    let refuse = true;
    await owner.route("**/v1/fields", async (route) => {
      const body = { error: { code: "not_found", message: "Gone.", details: [] }, request_id: "req_42" };
      return refuse ? await route.fulfill({ status: 404, json: body }) : await route.continue();
    });
    await owner.reload();
    await owner.getByText("req_42").waitFor();
    await checkPage(owner, "refused");
    refuse = false;
    await owner.getByRole("button", { name: "Try again" }).click();
    await owner.getByText("{{hit()}}").first().waitFor();
  },
);
