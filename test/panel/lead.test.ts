import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { large } from "../large.ts";
import { livedLead, makeLead } from "./support/lead-seed.ts";
import { checkPage, PHONE, panelWorld } from "./support/panel.ts";

const said = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
const facts = (page: Page) => page.getByRole("region", { name: "Details" });

test("an editor changes facts of every kind in place, sees where they came from, and takes one back", async () => {
  await using the = await panelWorld();
  const { id } = await livedLead(the);
  const editor = await the.newPerson("Edda");
  await the.join(editor, the.project.id, "editor");
  const page = await the.open(`leads/${id}`, { as: editor });
  await said(page, "Send the quote");
  await checkPage(page, "a lead");
  const stored = async (field: string) =>
    (await the.sql<{ value: unknown }>(`SELECT ${field} AS value FROM store.lead WHERE id = $1`, [id]))[0]
      ?.value;
  const edit = async (field: string) =>
    await facts(page)
      .getByRole("button", { name: `Edit: ${field}`, exact: true })
      .click();

  await page.keyboard.press("e");
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Marina Duarte Lima");
  await checkPage(page, "editing");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Marina Duarte Lima" }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("heading", { level: 1, name: "Marina Duarte", exact: true }).waitFor();
  assert.equal(await stored("name"), "Marina Duarte");

  await edit("E-mail");
  await page.getByRole("textbox", { name: "E-mail", exact: true }).fill("nonsense");
  await page.keyboard.press("Enter");
  await said(page, /must be|not an? e-mail|address/i);
  await checkPage(page, "refused");
  await page.keyboard.press("Escape");
  assert.equal(await stored("email"), "marina.duarte@aurora.example");

  await edit("Value");
  await page.getByRole("textbox", { name: "Value" }).fill("51000.5");
  await page.keyboard.press("Enter");
  await said(page, "R$51,000.50");
  await edit("Renewal");
  await page.getByLabel("Renewal", { exact: true }).fill("2028-01-15");
  await page.keyboard.press("Enter");
  await said(page, "Jan 15, 2028");
  await facts(page)
    .getByRole("button", { name: /empty fields/ })
    .nth(1)
    .click();
  await edit("Owner");
  await page.getByRole("combobox", { name: "Owner" }).click();
  await page.getByRole("option", { name: "Edda" }).click();
  await facts(page).getByRole("button", { name: "Save" }).click();
  await facts(page).getByText("Edda").waitFor();
  assert.equal(await stored("owner_id"), editor.id);

  await page.getByRole("group", { name: "Status" }).getByRole("button", { name: "qualified" }).click();
  await said(page, "Status changed to qualified");
  await page.getByRole("button", { name: /History: Status\. Edda · panel/ }).click();
  await page.getByRole("dialog", { name: "History: Status" }).getByText("qualified").waitFor();
  await checkPage(page, "history");
  await page.keyboard.press("Escape");
  assert.match(page.url(), /leads\/lead_/);
  assert.equal(await stored("status"), "qualified");
});

test("an opt-out is cleared only with a reason, which the timeline shows, and an undo clears one only if that is chosen", async () => {
  await using the = await panelWorld();
  const key = await the.key(["leads:read", "leads:write"]);
  const id = await makeLead(key, { name: "Marina Duarte" });
  const stored = async () =>
    (await the.sql<{ out: boolean }>("SELECT do_not_contact AS out FROM store.lead WHERE id = $1", [id]))[0]
      ?.out;
  const set = await key.send("PATCH", `/api/v1/leads/${id}`, { do_not_contact: true });
  assert.equal(set.status, 200, await set.text());
  const page = await the.open(`leads/${id}`);
  const choose = async () => {
    await facts(page).getByRole("button", { name: "Edit: Do not contact", exact: true }).click();
    await page.getByRole("combobox", { name: "Do not contact" }).click();
    await page.getByRole("option", { name: "No", exact: true }).click();
    await facts(page).getByRole("button", { name: "Save" }).click();
  };
  const asks = page.getByRole("dialog", { name: "Clear this opt-out?" });
  await choose();
  await asks.waitFor();
  await checkPage(page, "asks for a reason");
  assert.ok(
    await asks.getByRole("button", { name: "Clear the opt-out" }).isDisabled(),
    "not without a reason",
  );
  await page.keyboard.press("Escape");
  await asks.waitFor({ state: "hidden" });
  assert.equal(await stored(), true);
  await choose();
  await asks.getByRole("textbox", { name: "Reason" }).waitFor();
  await page.keyboard.type("Asked for offers again");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await said(page, "Asked for offers again");
  assert.equal(await stored(), false);

  await key
    .send("PATCH", `/api/v1/leads/${id}`, { do_not_contact: true, city: "Natal" })
    .then((answer) => answer.text());
  await page.goto(page.url().replace(/leads\/.*/, "history"));
  await page
    .getByRole("button", { name: /^Undo: .*City/ })
    .first()
    .click();
  const undo = page.getByRole("dialog", { name: "Undo this change?" });
  const clears = undo.getByRole("checkbox", { name: "Clear the opt-outs, too" });
  await undo
    .getByText(/keeps its opt-out/)
    .first()
    .waitFor();
  await checkPage(page, "an undo that keeps an opt-out");
  assert.equal(await clears.isChecked(), false);
  await clears.focus();
  await page.keyboard.press("Space");
  await undo
    .getByText(/keeps its opt-out/)
    .first()
    .waitFor({ state: "hidden" });
  await undo.getByRole("button", { name: "Undo" }).click();
  await undo.waitFor({ state: "hidden" });
  await page.getByText("Undone", { exact: true }).first().waitFor();
  assert.equal(await stored(), false);
});

large(
  "what a value's history is called says the same time as is shown, also when a second ends in between",
  async () => {
    await using the = await panelWorld();
    const { id } = await livedLead(the);
    const page = await the.open(`leads/${id}`);
    const city = page.getByRole("button", { name: /^History: City\. / });
    // Each time that is shown differs from the one before, as it does when a second ends.
    await page.evaluate(
      "{ let n = 0; Intl.RelativeTimeFormat.prototype.format = () => n++ + ' seconds ago'; }",
    );
    await facts(page).getByRole("button", { name: "Edit: City", exact: true }).click();
    await page.getByRole("textbox", { name: "City", exact: true }).fill("Recife");
    await page.keyboard.press("Enter");
    await city.waitFor();
    // Read together, since it may be shown anew at any time.
    const [shown = "", label] = await page.evaluate<string[]>(
      `[document.querySelector("[aria-label^='History: City. ']")].flatMap((it) => [it.innerText, it.ariaLabel])`,
    );
    assert.match(shown, /^\d+ seconds ago$/);
    assert.ok(label?.endsWith(`, ${shown}`), `${label}: ${shown}`);
  },
);

test("of two who change a fact at once the second sees both values and chooses; different facts do not meet", async () => {
  await using the = await panelWorld();
  const { key, id } = await livedLead(the);
  const page = await the.open(`leads/${id}`);
  const edit = async (field: string, value: string) => {
    await facts(page)
      .getByRole("button", { name: `Edit: ${field}`, exact: true })
      .click();
    await page.getByRole("textbox", { name: field, exact: true }).fill(value);
  };
  await edit("City", "Recife");
  await key.send("PATCH", `/api/v1/leads/${id}`, { country: "PT" });
  await page.keyboard.press("Enter");
  await facts(page).getByText("Recife").waitFor();
  await facts(page).getByText("PT", { exact: true }).waitFor();

  await edit("City", "Natal");
  await key.send("PATCH", `/api/v1/leads/${id}`, { city: "Lisboa" });
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Someone else changed this field" });
  await dialog.getByText("Lisboa").waitFor();
  await dialog.getByText("Natal").waitFor();
  await checkPage(page, "conflict");
  await dialog.getByRole("button", { name: "Use mine" }).click();
  await facts(page).getByText("Natal").waitFor();
  const [lead] = await the.sql<{ city: string; country: string }>(
    "SELECT city, country FROM store.lead WHERE id = $1",
    [id],
  );
  assert.deepEqual(lead, { city: "Natal", country: "PT" });
});

test("a lead is deleted, comes back by undo and by its address, and an owner who types its name erases it", async () => {
  await using the = await panelWorld();
  const { id } = await livedLead(the);
  const page = await the.open(`leads/${id}`);
  const menu = page.getByRole("button", { name: "More actions" });
  await menu.click();
  await checkPage(page, "menu");
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await said(page, "This lead was deleted");
  await page.getByRole("button", { name: "Undo" }).click();
  await menu.click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await said(page, "This lead was deleted");
  await checkPage(page, "deleted");
  await page.reload();
  await page.getByRole("button", { name: "Restore" }).click();
  await menu.click();
  await page.getByRole("menuitem", { name: "Erase permanently" }).click();
  const dialog = page.getByRole("dialog");
  const erase = dialog.getByRole("button", { name: "Erase permanently" });
  assert.equal(await erase.isEnabled(), false);
  await dialog.getByRole("textbox").fill("Marina Duarte");
  await checkPage(page, "erasing");
  await erase.click();
  await said(page, "Lead erased");
  assert.equal((await the.sql("SELECT FROM store.lead WHERE id = $1", [id])).length, 0);
  await page.goto(`${the.authUrl}/projects/${the.project.id}/leads/${id}`);
  await said(page, "Lead not found");
  await checkPage(page, "none");
});

test("a merged lead's URL leads to the surviving lead, and another project's lead does not exist", async () => {
  await using the = await panelWorld();
  const { key, id, twin } = await livedLead(the);
  await key.send("POST", `/api/v1/leads/${id}/merge`, { with: twin });
  const page = await the.open(`leads/${twin}`);
  await page.getByRole("heading", { level: 1, name: "Marina Duarte" }).waitFor();
  assert.ok(page.url().includes(id));
  await page.getByRole("button", { name: "Undo merge" }).click();
  await said(page, "Merge undone");
  const other = await the.newProject(the.person, "Elsewhere");
  const foreign = await the.open(`leads/${id}`, { project: other.id });
  await said(foreign, "Lead not found");
});

test("a viewer reads everything, is offered no change, and nothing that a lead contains runs", async () => {
  await using the = await panelWorld();
  const key = await the.key(["leads:read", "leads:write"]);
  const bad = `<img src=x onerror="alert(1)">\u202eevil\u200b`;
  const id = await makeLead(key, {
    name: bad,
    company: "x".repeat(500),
    job_title: bad,
    website: `https://x.example/"><script>alert(1)</script>`,
    source: "javascript:alert(1)",
    tags: [bad, "y".repeat(200)],
    landing_page: `javascript:alert(1)//.example`,
    do_not_contact: true,
  });
  for (const event of [
    { type: "note.added", data: { text: `${bad} ${"z".repeat(10_000)}` } },
    { type: "form.submitted", title: bad, source: bad, data: { [bad]: bad, deep: [[bad]] } },
    { type: "task.created", data: { subject: bad, due: bad } },
  ])
    assert.equal((await key.send("POST", `/api/v1/leads/${id}/events`, event)).status, 201);
  const viewer = await the.newPerson("Vera");
  await the.join(viewer, the.project.id, "viewer");
  const page = await the.open(`leads/${id}`, { as: viewer, size: PHONE, language: "pt-BR" });
  page.on("dialog", () => assert.fail("a script ran"));
  await said(page, "Você precisa do papel de Editor para alterar este lead.");
  await said(page, "Não contatar");
  await page.getByText("Detalhes").click();
  await checkPage(page, "the timeline on a phone");
  await page.getByRole("radiogroup").getByText("Dados").click();
  await page.getByRole("region", { name: "Dados" }).waitFor();
  await checkPage(page, "the facts on a phone");
  assert.equal(await page.getByRole("button", { name: /^Editar/ }).count(), 0);
  assert.equal(await page.locator('a[href^="javascript:" i], img[src=x]').count(), 0);
  assert.equal(await page.getByRole("textbox").count(), 0);
});
