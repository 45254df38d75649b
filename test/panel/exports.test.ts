import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import type { Route } from "playwright-core";
import { large } from "../large.ts";
import { seedLeads } from "./support/leads-world.ts";
import { checkPage, PHONE, panelWorld } from "./support/panel.ts";

test("an export is created, downloaded and listed in the history, and a waiting one is cancelled", async () => {
  await using the = await panelWorld();
  await seedLeads(the, 30);
  const viewer = await the.newPerson("<img src=x onerror=alert(1)>\u202eVera");
  await the.join(viewer, the.project.id, "viewer");
  const key = await the.key(["leads:read", "leads:write"]);
  const fair = { filter: { field: "source", op: "eq", value: "fair" } };
  assert.equal(
    (await key.send("POST", "/api/v1/views", { name: "From <b>fairs</b>", query: fair })).status,
    201,
  );
  const page = await the.open("exports", { as: viewer });
  page.on("dialog", () => assert.fail("a script ran"));
  await page.getByText("No exports yet").waitFor();
  await checkPage(page, "empty");

  await page.keyboard.press("c");
  const form = page.getByRole("region", { name: "New export" });
  await form.getByText("30 leads", { exact: true }).waitFor();
  await form.getByRole("combobox", { name: "Saved view" }).click();
  await page.getByRole("option", { name: "From <b>fairs</b>" }).click();
  await form.getByText("10 leads", { exact: true }).waitFor();
  await form.getByRole("combobox", { name: "Delimiter" }).click();
  await page.getByRole("option", { name: "Semicolon (;)" }).click();
  await form.getByRole("combobox", { name: "Columns", exact: true }).click();
  for (const name of ["Name", "Value"]) await page.getByRole("option", { name, exact: true }).click();
  await page.keyboard.press("Escape");
  await form.getByRole("switch", { name: "For Excel" }).click();
  await page.waitForURL(/excel=yes/);
  await page.reload();
  await form.getByText("10 leads", { exact: true }).waitFor();
  await checkPage(page, "new export");
  await form.getByRole("button", { name: "Create export" }).click();
  await page.getByText("Export started").waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: /^Download the export of/ }).click(),
  ]);
  const lines = (await readFile(await download.path(), "utf8")).trimEnd().split("\n");
  assert.equal(lines[0], "\ufeffname;value");
  assert.equal(lines.length, 11);
  await page.getByText("Ready · 10 leads", { exact: false }).waitFor();
  await checkPage(page, "done");

  // Shows the export as running, which a small one is too briefly; it ends when it is cancelled.
  const asRunning = async (route: Route) => {
    const body = (await (await route.fetch()).text()).replace(/"state" ?: ?"done"/, '"state":"running"');
    await route.fulfill({ contentType: "application/json", body });
  };
  // A request in progress at the time of the reload has no page any more.
  await page.route("**/v1/exports?*", (route) => asRunning(route).catch(() => undefined));
  await page.reload();
  await page.getByRole("progressbar", { name: "Export progress" }).waitFor();
  await checkPage(page, "under way");
  await page.getByRole("button", { name: /^Cancel the export of/ }).click();
  await page.getByRole("alert").getByText("This export has already finished.").waitFor();
});

large("exports on a phone, in Portuguese; a failure is shown with a retry", async () => {
  await using the = await panelWorld();
  await seedLeads(the, 3);
  const page = await the.open("exports?new=yes&format=ndjson", { size: PHONE, language: "pt-BR" });
  await page.getByText("3 leads", { exact: true }).waitFor();
  await checkPage(page, "new, phone");
  await page.getByRole("button", { name: "Criar exportação" }).click();
  await page.getByRole("link", { name: /^Baixar a exportação/ }).waitFor();
  await checkPage(page, "history, phone");
  await page.route("**/v1/exports?*", (route) =>
    route.fulfill({
      status: 404,
      json: { error: { code: "too_slow", message: "x", details: [] }, request_id: "req_7" },
    }),
  );
  await page.reload();
  await page.getByText("req_7").waitFor();
  await checkPage(page, "failed");
});
