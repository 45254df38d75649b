import assert from "node:assert/strict";
import { test } from "node:test";
import { checkPage, panelWorld } from "../panel/support/panel.ts";
import { acceptedKey, admission, stuck, until } from "./support/full.ts";

const BUSY = "The service is busy. Trying again in a moment…";

test("while the service is overloaded, the panel says so and tries again, with what is saved too", async () => {
  await using the = await panelWorld({ env: admission({ perOwner: 2, waitMs: 200 }) });
  const key = await acceptedKey(the);
  const page = await the.open("exports");
  await page.getByRole("link", { name: "Statuses" }).click();
  await page.getByRole("heading", { name: "Statuses" }).waitFor();
  const name = page.getByLabel("Add status").and(page.getByRole("textbox"));
  await name.waitFor();
  const places = async () => {
    const held = await stuck(the);
    const calls = held.send(key, 2);
    await until(the, 2, 0);
    return { held, calls };
  };

  const writing = await places();
  await name.fill("parked");
  await page.getByRole("button", { name: "Add status", exact: true }).click();
  const busy = page.getByRole("status").filter({ hasText: BUSY });
  await busy.waitFor();
  await checkPage(page);
  await writing.held.release();
  await page.locator("main").getByText("parked", { exact: true }).first().waitFor();
  await busy.waitFor({ state: "detached" });
  await Promise.all(writing.calls);
  const [project] = await the.sql<{ statuses: string[] }>("SELECT statuses FROM store.project");
  assert.equal(project?.statuses.filter((status) => status === "parked").length, 1);

  const reading = await places();
  await page.getByRole("link", { name: "Limits and usage" }).click();
  await busy.waitFor();
  await reading.held.release();
  await page.getByText("Dataset rows", { exact: true }).waitFor();
  await busy.waitFor({ state: "detached" });
  await Promise.all(reading.calls);
});
