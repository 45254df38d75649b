import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { large } from "../../large.ts";
import { companies } from "../support/datasets-seed.ts";
import { livedLead } from "../support/lead-seed.ts";
import { seedLeads } from "../support/leads-world.ts";
import { checkPage, dialogHasFocus, panelWorld } from "../support/panel.ts";
import { away, editorIn } from "../support/writing.ts";

const cell = (page: Page, lead: string, column: string) =>
  page.getByRole("row").filter({ hasText: lead }).locator(`[data-column="${column}"]`);
const said = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();
const AWAY = "Cannot reach the service. Check your connection and try again.";

async function signInAgain(page: Page, person: { email: string; password: string }) {
  await page.getByRole("dialog", { name: "You are signed out" }).waitFor();
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel(/e-mail/i).fill(person.email);
  await page.getByLabel(/^password/i).fill(person.password);
  await page.keyboard.press("Enter");
}

test("a cell that is edited while the service is away keeps its editor and text, says so, and saves on a second try", async () => {
  await using the = await panelWorld();
  await seedLeads(the, 10);
  const page = await the.open("leads", { as: await editorIn(the) });
  await said(page, "Ana Almeida 1");
  const back = await away(page, "/v1/leads/lead_");
  await cell(page, "Ana Almeida 1", "company").dblclick();
  const editor = page.getByRole("textbox", { name: "Company" });
  await editor.fill("Nova Casa");
  await page.keyboard.press("Enter");
  await cell(page, "Ana Almeida 1", "company").getByRole("alert").getByText(AWAY).waitFor();
  assert.equal(await editor.inputValue(), "Nova Casa");
  await checkPage(page, "an editor that stays open");
  // leaving the cell neither sends it again nor shows it as saved
  await cell(page, "Bruno Barros 2", "source").click();
  await page.locator("td[data-unsaved=failed]").getByText("Nova Casa").waitFor();
  await checkPage(page, "a cell that is not saved");
  await back();
  await page.getByRole("alert").getByRole("button", { name: "Try again" }).click();
  await page.locator("td[data-unsaved]").waitFor({ state: "detached" });
  await cell(page, "Ana Almeida 1", "company").getByText("Nova Casa").waitFor();
  assert.deepEqual(
    await the.sql("SELECT version FROM store.lead WHERE project_id = $1 AND company = 'Nova Casa'", [
      the.project.id,
    ]),
    [{ version: 2 }],
  );
});

large("offline a cell does not show its new value as saved", async () => {
  await using the = await panelWorld();
  await seedLeads(the, 5);
  const page = await the.open("leads", { as: await editorIn(the) });
  await said(page, "Ana Almeida 1");
  await page.context().setOffline(true);
  await cell(page, "Ana Almeida 1", "company").dblclick();
  await page.getByRole("textbox", { name: "Company" }).fill("Nova Casa");
  await page.keyboard.press("Tab");
  await page.locator("td[data-unsaved=failed]").getByText("Nova Casa").waitFor();
  await page.getByText("Not saved:").waitFor();
  await page.context().setOffline(false);
});

test("a cell whose answer was lost is saved once: sent again, it finds its own value", async () => {
  await using the = await panelWorld();
  await seedLeads(the, 5);
  const page = await the.open("leads", { as: await editorIn(the) });
  await said(page, "Ana Almeida 1");
  const lead = (url: URL) => url.pathname.includes("/v1/leads/lead_");
  await page.route(lead, async (route) => {
    if (route.request().method() === "PATCH") await route.fetch();
    await route.abort("connectionreset");
  });
  await cell(page, "Ana Almeida 1", "company").dblclick();
  await page.getByRole("textbox", { name: "Company" }).fill("Nova Casa");
  await page.keyboard.press("Enter");
  await cell(page, "Ana Almeida 1", "company").getByRole("alert").waitFor();
  await page.unroute(lead);
  await page.getByRole("textbox", { name: "Company" }).press("Enter");
  await page.locator("td[data-unsaved]").waitFor({ state: "detached" });
  await cell(page, "Ana Almeida 1", "company").getByText("Nova Casa").waitFor();
  assert.equal(await page.getByRole("dialog").count(), 0);
  assert.deepEqual(
    await the.sql("SELECT version FROM store.lead WHERE project_id = $1 AND company = 'Nova Casa'", [
      the.project.id,
    ]),
    [{ version: 2 }],
  );
});

test("text in a cell survives the end of the session: after signing in it is in the editor at the same place", async () => {
  await using the = await panelWorld();
  await seedLeads(the, 5);
  const editor = await editorIn(the);
  const page = await the.open("leads?sort=value", { as: editor });
  await said(page, "Ana Almeida 1");
  const lead = (url: URL) => url.pathname.includes("/v1/leads/lead_");
  // The session ends under the write. Ended before, the panel may notice by itself, and its dialog would cover the cell.
  await page.route(lead, async (route) => {
    if (route.request().method() === "PATCH")
      await the.sql("DELETE FROM session WHERE person_id = $1", [editor.id]);
    await route.continue();
  });
  await cell(page, "Ana Almeida 1", "company").dblclick();
  await page.getByRole("textbox", { name: "Company" }).fill("Nova Casa");
  await page.keyboard.press("Enter");
  await signInAgain(page, editor);
  await page.unroute(lead);
  await page.waitForURL("**/leads?sort=value");
  const box = page.getByRole("textbox", { name: "Company" });
  await box.waitFor();
  assert.equal(await box.inputValue(), "Nova Casa");
  await box.press("Enter");
  await cell(page, "Ana Almeida 1", "company").getByText("Nova Casa").waitFor();
  await page.locator("td[data-unsaved]").waitFor({ state: "detached" });
  assert.equal(
    (
      await the.sql("SELECT FROM store.lead WHERE project_id = $1 AND company = 'Nova Casa'", [
        the.project.id,
      ])
    ).length,
    1,
  );
});

large(
  "text kept from before a reload is no change of what a colleague wrote since: both values are shown",
  async () => {
    await using the = await panelWorld();
    await seedLeads(the, 5);
    const page = await the.open("leads", { as: await editorIn(the) });
    await said(page, "Ana Almeida 1");
    await cell(page, "Ana Almeida 1", "company").dblclick();
    await page.getByRole("textbox", { name: "Company" }).fill("Mine");
    await the.sql(
      "UPDATE store.lead SET company = 'Theirs', version = version + 1 WHERE project_id = $1 AND name = 'Ana Almeida 1'",
      [the.project.id],
    );
    await page.reload();
    await page.getByRole("textbox", { name: "Company" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Someone else changed this field" });
    await dialog.getByText("Theirs", { exact: true }).waitFor();
    await dialog.getByRole("button", { name: "Keep current" }).click();
    await cell(page, "Ana Almeida 1", "company").getByText("Theirs").waitFor();
  },
);

large("a fact keeps its editor while the service is away, and its text survives a reload", async () => {
  await using the = await panelWorld();
  const { id } = await livedLead(the);
  const page = await the.open(`leads/${id}`, { as: await editorIn(the) });
  const back = await away(page, `/v1/leads/${id}`);
  await page.getByRole("button", { name: "Edit: Company" }).click();
  await page.getByRole("textbox", { name: "Company" }).fill("Nova Casa");
  await page.keyboard.press("Enter");
  await page.getByText(AWAY).waitFor();
  await checkPage(page, "a fact that is not saved");
  await page.reload();
  const box = page.getByRole("textbox", { name: "Company" });
  await box.waitFor();
  assert.equal(await box.inputValue(), "Nova Casa");
  // another editor leaves it as it is
  await page.getByRole("button", { name: "Edit: City" }).click();
  await page.getByRole("button", { name: "Not saved" }).click();
  assert.equal(await box.inputValue(), "Nova Casa");
  await back();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await said(page, "Saved");
  assert.equal(
    (
      await the.sql("SELECT FROM store.lead WHERE project_id = $1 AND company = 'Nova Casa'", [
        the.project.id,
      ])
    ).length,
    1,
  );
  await page.reload();
  await page.getByRole("button", { name: "Edit: Company" }).waitFor();
  assert.equal(await page.getByRole("button", { name: "Not saved" }).count(), 0);
});

large(
  "a note survives a failure, a reload and the end of the session; sent twice, it is recorded once",
  async () => {
    await using the = await panelWorld();
    const { id } = await livedLead(the);
    const editor = await editorIn(the);
    const page = await the.open(`leads/${id}`, { as: editor });
    const note = page
      .getByRole("textbox", { name: "Write a note" })
      .or(page.getByPlaceholder(/note/i))
      .first();
    const events = (url: URL) => url.pathname.endsWith("/events");
    await page.route(events, async (route) => {
      if (route.request().method() !== "POST") return await route.continue();
      await route.fetch();
      await route.abort("connectionreset");
    });
    await note.fill("Call back on Friday");
    await page.getByRole("button", { name: "Add note" }).click();
    await page.getByRole("alert").getByText(AWAY).first().waitFor();
    assert.equal(await note.inputValue(), "Call back on Friday");
    await page.unroute(events);
    await page.reload();
    await note.waitFor();
    assert.equal(await note.inputValue(), "Call back on Friday");
    await page.getByRole("button", { name: "Add note" }).click();
    await page.getByRole("status").getByText("Note added").waitFor();
    assert.equal(
      (
        await the.sql(
          "SELECT FROM store.event WHERE project_id = $1 AND data ->> 'text' = 'Call back on Friday'",
          [the.project.id],
        )
      ).length,
      1,
    );
    await the.sql("DELETE FROM session WHERE person_id = $1", [editor.id]);
    await note.fill("Wants a discount");
    // Not by the mouse: the panel may have asked to sign in before, in which case the dialog covers the button.
    await page.getByRole("button", { name: "Add note" }).dispatchEvent("click");
    await signInAgain(page, editor);
    await page.waitForURL(`**/leads/${id}`);
    await note.waitFor();
    assert.equal(await note.inputValue(), "Wants a discount");
  },
);

large(
  "a new lead survives a failure and signing in; when its answer was lost it is not created twice",
  async () => {
    await using the = await panelWorld();
    const editor = await editorIn(the);
    const page = await the.open("leads", { as: editor });
    await said(page, "No leads yet");
    await page.getByRole("button", { name: "New lead" }).first().click();
    const dialog = page.getByRole("dialog", { name: "New lead" });
    await dialogHasFocus(page);
    await dialog.getByLabel("Name").fill("Rita");
    await dialog.getByLabel("Company").fill("Lumen");
    const create = (url: URL) => url.pathname.endsWith("/v1/leads");
    await page.route(create, async (route) => {
      await route.fetch();
      await route.abort("connectionreset");
    });
    await dialog.getByRole("button", { name: "Create lead" }).click();
    await dialog.getByRole("alert").getByText(AWAY).waitFor();
    await checkPage(page, "a new lead that was not created");
    await page.unroute(create);
    await page.reload();
    await dialog.getByRole("button", { name: "Create lead" }).click();
    await dialog.getByText("This lead already exists").waitFor();
    assert.equal((await the.sql("SELECT FROM store.lead WHERE project_id = $1", [the.project.id])).length, 1);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await the.sql("DELETE FROM session WHERE person_id = $1", [editor.id]);
    await dialog.getByLabel("Name").fill("Rita Two");
    await dialog.getByRole("button", { name: "Create lead" }).dispatchEvent("click");
    await signInAgain(page, editor);
    await page.waitForURL("**/leads");
    await dialog.waitFor();
    assert.equal(await dialog.getByLabel("Name").inputValue(), "Rita Two");
    assert.equal(await dialog.getByLabel("Company").inputValue(), "Lumen");
  },
);

test("unsaved text asks before another screen opens, the tab closes or the person signs out; leaving discards it", async () => {
  await using the = await panelWorld();
  const { id } = await livedLead(the);
  const page = await the.open(`leads/${id}`, { as: await editorIn(the) });
  const note = page.getByPlaceholder(/note/i).first();
  await note.fill("Call back on Friday");
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await page.getByRole("link", { name: "Board", exact: true }).click();
  await checkPage(page, "the question");
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "detached" });
  assert.equal(await note.inputValue(), "Call back on Friday");
  const closing = page.waitForEvent("dialog");
  void page.evaluate("setTimeout(() => location.reload())");
  const asked = await closing;
  assert.equal(asked.type(), "beforeunload");
  await asked.dismiss();
  await page.getByRole("button", { name: /Your account/ }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await question.getByRole("button", { name: "Cancel" }).click();
  await question.waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Board", exact: true }).click();
  await question.getByRole("button", { name: "Leave" }).click();
  await page.waitForURL("**/board");
  await page.goBack();
  await note.waitFor();
  assert.equal(await note.inputValue(), "");
});

const keptIn = (page: Page) =>
  page.evaluate<string>("JSON.stringify(sessionStorage) + JSON.stringify(localStorage)");

large("signing out, and another person who signs in here, leave nothing that was typed behind", async () => {
  await using the = await panelWorld();
  const { id } = await livedLead(the);
  const editor = await editorIn(the);
  const page = await the.open(`leads/${id}`, { as: editor });
  const note = page.getByPlaceholder(/note/i).first();
  await note.fill("Private words");
  assert.match(await keptIn(page), /Private words/);
  await page.getByRole("button", { name: /Your account/ }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
  await page.waitForURL("**/sign-in");
  assert.doesNotMatch(await keptIn(page), /Private words/);

  const second = await the.open(`leads/${id}`, { as: editor });
  await second.getByPlaceholder(/note/i).first().fill("Private words");
  await the.sql("DELETE FROM session WHERE person_id = $1", [editor.id]);
  await second.getByRole("button", { name: "Add note" }).dispatchEvent("click");
  await signInAgain(second, the.person);
  await second.waitForURL(`**/leads/${id}`);
  await second.getByPlaceholder(/note/i).first().waitFor();
  assert.equal(await second.getByPlaceholder(/note/i).first().inputValue(), "");
  assert.doesNotMatch(await keptIn(second), /Private words/);
});

test("signing out on a page without script leaves nothing that was typed behind", async () => {
  await using the = await panelWorld();
  const { id } = await livedLead(the);
  const page = await the.open(`leads/${id}`, { as: await editorIn(the) });
  await page.getByPlaceholder(/note/i).first().fill("Private words");
  page.once("dialog", (dialog) => void dialog.accept());
  await page.goto(`${the.authUrl}/projects/${the.project.id}/settings/overview`);
  assert.match(await keptIn(page), /Private words/);
  // as a form is sent where no script listens to it
  await page.evaluate(
    "HTMLFormElement.prototype.submit.call(document.querySelector('form[action=\"/sign-out\"]'))",
  );
  await page.waitForURL("**/sign-in");
  assert.doesNotMatch(await keptIn(page), /Private words/);
});

large(
  "a dataset's cell and a new row keep their text while the service is away and after a reload",
  async () => {
    await using the = await panelWorld();
    const { id } = await companies(the, 3);
    const page = await the.open(`datasets/${id}`, { as: await editorIn(the) });
    const grid = page.getByRole("grid");
    await grid.waitFor();
    const back = await away(page, "/rows");
    const seats = page
      .getByRole("row")
      .filter({ hasText: "Porto T\u00eaxtil" })
      .locator('[data-column="name"]');
    await seats.dblclick();
    const editor = page.getByRole("textbox", { name: "Company" });
    await editor.fill("Porto Novo");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText(AWAY).first().waitFor();
    assert.equal(await editor.inputValue(), "Porto Novo");
    await checkPage(page, "a dataset's cell that is not saved");
    await page.reload();
    await editor.waitFor();
    assert.equal(await editor.inputValue(), "Porto Novo");
    await back();
    const saved = page.waitForResponse((answer) => answer.request().method() === "PATCH" && answer.ok());
    await editor.press("Enter");
    await saved;
    await page.getByText("Porto Novo").first().waitFor();
    await editor.waitFor({ state: "detached" });
    await page.locator("[data-unsaved]").waitFor({ state: "detached" });
    assert.equal(
      (
        await the.sql(
          "SELECT FROM store.dataset_row WHERE project_id = $1 AND cells::text LIKE '%Porto Novo%'",
          [the.project.id],
        )
      ).length,
      1,
    );

    await page.getByRole("button", { name: "Add row" }).first().click();
    await dialogHasFocus(page);
    await page.getByRole("dialog").getByLabel("Domain").fill("new.example");
    await page.reload();
    const dialog = page.getByRole("dialog");
    await dialog.waitFor();
    assert.equal(await dialog.getByLabel("Domain").inputValue(), "new.example");
    await page.keyboard.press("Escape");
    await page
      .getByRole("dialog", { name: "Discard what you typed?" })
      .getByRole("button", { name: "Discard" })
      .click();
    await dialog.waitFor({ state: "detached" });
    await page.reload();
    await grid.waitFor();
    assert.equal(await dialog.count(), 0);
  },
);

large(
  "the names of views, fields and statuses survive a reload in the form where they were typed",
  async () => {
    await using the = await panelWorld();
    await seedLeads(the, 3);
    const page = await the.open("leads?q=ana");
    await page.getByRole("button", { name: "Save as view" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("My people");
    await page.reload();
    await page.getByRole("dialog").waitFor();
    assert.equal(await page.getByRole("dialog").getByLabel("Name").inputValue(), "My people");
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();

    await page.goto(`${the.authUrl}/projects/${the.project.id}/settings/fields`);
    await page.getByRole("button", { name: "New field" }).first().click();
    await page.getByRole("dialog").getByLabel("Label").fill("Plan");
    await page.reload();
    await page.getByRole("dialog").waitFor();
    assert.equal(await page.getByRole("dialog").getByLabel("Label").inputValue(), "Plan");
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();

    await page.goto(`${the.authUrl}/projects/${the.project.id}/settings/statuses`);
    await page.getByLabel("Add status", { exact: true }).fill("paused");
    await page.reload();
    await page.getByLabel("Add status", { exact: true }).waitFor();
    assert.equal(await page.getByLabel("Add status", { exact: true }).inputValue(), "paused");
  },
);
