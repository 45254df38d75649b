import assert from "node:assert/strict";
import { test } from "node:test";
import { large } from "../large.ts";
import { livedLead, makeLead, tell } from "./support/lead-seed.ts";
import { checkPage, panelWorld } from "./support/panel.ts";

test("notes and tasks are written onto the timeline, a task is done, and the undo withdraws that", async () => {
  await using the = await panelWorld();
  const { id } = await livedLead(the);
  const page = await the.open(`leads/${id}`);
  const timeline = page.getByRole("region", { name: "Timeline" });
  await timeline.getByText("Lead created").waitFor();
  await page.keyboard.press("n");
  await page.keyboard.type("Prefers mornings.");
  await page.keyboard.press("Control+Enter");
  await timeline.getByText("Prefers mornings.").waitFor();
  await page.locator("h1").click();
  await page.keyboard.press("t");
  await page.getByLabel("What needs to be done").fill("Call about the renewal");
  await page.getByLabel("Due").fill("2099-05-06");
  await page.getByRole("button", { name: "Add task" }).click();
  const tasks = page.getByRole("region", { name: "Open tasks" });
  await tasks.getByText("May 6, 2099").waitFor();
  assert.deepEqual(await tasks.locator("bdi").allInnerTexts(), ["Send the quote", "Call about the renewal"]);
  await checkPage(page, "tasks");
  await tasks.getByRole("checkbox", { name: "Send the quote" }).click();
  // First, since the offer is shown only for a short time.
  const done = page.getByRole("alert").or(page.getByRole("status")).filter({ hasText: "Task completed" });
  await done.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Undone", { exact: true }).waitFor();
  assert.equal(
    (
      await the.sql(
        "SELECT FROM store.event WHERE project_id = $1 AND type LIKE 'task.%' AND type <> 'task.created'",
        [the.project.id],
      )
    ).length,
    0,
  );
  await tasks.getByRole("checkbox", { name: "Send the quote" }).waitFor();
  const [note] = await the.sql<{ source: string; actor: { label: string } }>(
    "SELECT source, actor FROM store.event WHERE project_id = $1 AND type = 'note.added' ORDER BY recorded_at DESC LIMIT 1",
    [the.project.id],
  );
  assert.deepEqual([note?.source, note?.actor.label], ["panel", the.person.name]);
});

large(
  "the timeline folds what belongs together, is filtered in the address, and goes on as one scrolls",
  async () => {
    await using the = await panelWorld({ env: {} });
    const { key, id } = await livedLead(the);
    for (let day = 10; day < 90; day += 1)
      await tell(key, id, {
        type: "call.made",
        source: "dialer",
        occurred_at: new Date(Date.now() - day * 86_400_000).toISOString(),
        data: { outcome: `no answer ${day}` },
      });
    const page = await the.open(`leads/${id}`);
    const timeline = page.getByRole("region", { name: "Timeline" });
    await timeline.getByText("3 fields changed").waitFor();
    await timeline.getByText("Page viewed, 4 times").waitFor();
    assert.equal(await timeline.getByText("/pricing/3").count(), 0);
    await timeline.getByRole("button", { name: "Show all (4)" }).click();
    await timeline.getByText("/pricing/3").first().waitFor();
    await page.mouse.move(900, 600);
    for (let turn = 0; turn < 200 && (await timeline.getByText("no answer 89").count()) === 0; turn += 1) {
      await page.mouse.wheel(0, 3_000);
      await page.waitForTimeout(100);
    }
    await timeline.getByText("no answer 89").first().waitFor();

    await timeline.getByRole("button", { name: "Filter" }).click();
    await timeline.getByRole("combobox", { name: "Source" }).click();
    await page.getByRole("option", { name: "mailer" }).click();
    await page.waitForURL(/source=mailer/);
    await timeline.getByText("Call made").first().waitFor({ state: "detached" });
    await checkPage(page, "filtered");
    await page.reload();
    await timeline.getByText("Email opened: Our offer").waitFor();
    assert.equal(await timeline.getByText("Lead created").count(), 0);
    await page.goto(`${page.url()}&types=note.added`);
    await timeline.getByText("No events found").waitFor();
    await checkPage(page, "nothing fits");
    await timeline.getByRole("button", { name: "Clear filter" }).first().click();
    await timeline.getByText("Lead created").waitFor();
  },
);

test("days are those of the project's zone", async () => {
  await using the = await panelWorld();
  await the.sql("UPDATE store.project SET timezone = 'Asia/Tokyo' WHERE project_id = $1", [the.project.id]);
  const key = await the.key(["leads:read", "leads:write"]);
  const id = await makeLead(key, { name: "Lia", consent_at: "2026-03-01T23:30:00+00:00" });
  await tell(key, id, { type: "call.made", occurred_at: "2026-03-01T23:30:00+00:00" });
  const page = await the.open(`leads/${id}`);
  const timeline = page.getByRole("region", { name: "Timeline" });
  await timeline.getByRole("heading", { name: "Mar 2, 2026" }).waitFor();
  const day = timeline.locator("section").filter({ hasText: "Mar 2, 2026" });
  await day.getByText("8:30 AM").waitFor();
  await page.getByRole("button", { name: "Edit: Consent date" }).click();
  const field = page.getByLabel("Consent date", { exact: true });
  assert.equal(await field.inputValue(), "2026-03-02T08:30");
  await field.fill("2026-03-02T10:00");
  await page.keyboard.press("Enter");
  await page.getByText("Mar 2, 2026, 10:00 AM").first().waitFor();
  const [lead] = await the.sql<{ at: Date }>("SELECT consent_at AS at FROM store.lead WHERE id = $1", [id]);
  assert.equal(lead?.at.toISOString(), "2026-03-02T01:00:00.000Z");
});

large("what is typed while a note is being saved stays", async () => {
  await using the = await panelWorld();
  const id = await makeLead(await the.key(["leads:read", "leads:write"]), { name: "Lia" });
  const page = await the.open(`leads/${id}`);
  await page.getByRole("region", { name: "Timeline" }).getByText("Lead created").waitFor();
  const letGo = Promise.withResolvers<void>();
  await page.route(/\/v1\/leads\/lead_\w+$/, async (route) => {
    await letGo.promise;
    await route.continue();
  });
  await page.keyboard.press("n");
  await page.keyboard.type("Prefers mornings.");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("region", { name: "Timeline" }).getByText("Prefers mornings.").waitFor();
  await page.locator("h1").click();
  await page.keyboard.press("t");
  await page.getByLabel("What needs to be done").fill("Call about the renewal");
  await page.getByLabel("Due").fill("2099-05-06");
  letGo.resolve();
  // The timeline shows the note while the form still waits for the lead.
  await page.getByRole("status").filter({ hasText: "Note added" }).waitFor();
  const task = page.getByLabel("What needs to be done");
  assert.equal(await task.inputValue(), "Call about the renewal");
  assert.equal(await page.getByLabel("Due").inputValue(), "2099-05-06");
  await task.press("End");
  await page.keyboard.press("Control+Enter");
  await page.keyboard.type(" Then write.");
  await page.getByRole("status").filter({ hasText: "Task added" }).waitFor();
  assert.equal(await task.inputValue(), " Then write.");
});

large("j and k go through the list one came from, in its order, and Escape goes back to it", async () => {
  await using the = await panelWorld();
  const key = await the.key(["leads:read", "leads:write"]);
  const ids = [];
  for (const [name, company] of [
    ["Cora", "Acme"],
    ["Ana", "Acme"],
    ["Zoe", "Other"],
    ["Bia", "Acme"],
  ])
    ids.push(await makeLead(key, { name, company }));
  const filter = JSON.stringify({ field: "company", op: "eq", value: "Acme" });
  const from = `leads?${new URLSearchParams({ filter, sort: "name" })}`;
  const page = await the.open(`leads/${ids[3]}?${new URLSearchParams({ from })}`);
  await page.getByText("2 of 3").waitFor();
  await page.keyboard.press("j");
  await page.getByRole("heading", { level: 1, name: "Cora" }).waitFor();
  await page.getByText("3 of 3").waitFor();
  assert.equal(await page.getByRole("button", { name: "Next lead" }).isEnabled(), false);
  await page.keyboard.press("k");
  await page.getByRole("heading", { level: 1, name: "Bia" }).waitFor();
  await page.getByText("2 of 3").waitFor();
  await page.keyboard.press("k");
  await page.getByRole("heading", { level: 1, name: "Ana" }).waitFor();
  await page.keyboard.press("Escape");
  await page.waitForURL((url) => url.pathname.endsWith("/leads") && url.searchParams.get("sort") === "name");
});
