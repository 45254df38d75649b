import assert from "node:assert/strict";
import { test } from "node:test";
import { large } from "../large.ts";
import { seedLeads } from "../panel/support/leads-world.ts";
import { checkPage, PHONE, panelWorld } from "../panel/support/panel.ts";
import { acceptedKey, admission, stuck, until } from "./support/full.ts";

const BUSY = "The service is busy. Trying again in a moment…";

large(
  "while the service is overloaded, the panel says so and tries again, with what is saved too",
  async () => {
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
  },
);

test("a sign-out that the overloaded service refuses is repeated: nobody leaves with a session that is alive", async () => {
  await using the = await panelWorld({ env: admission({ perOwner: 2, waitMs: 200 }) });
  const key = await acceptedKey(the);
  const page = await the.open("settings/statuses");
  const held = await stuck(the);
  const calls = held.send(key, 2);
  await until(the, 2, 0);
  await page.getByRole("button", { name: /Your account/ }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("status").filter({ hasText: BUSY }).waitFor();
  assert.match(page.url(), /settings\/statuses$/);
  await held.release();
  await page.waitForURL("**/sign-in");
  assert.deepEqual(await the.sql("SELECT FROM session"), []);
  await Promise.all(calls);
});

large("a file whose upload the overloaded service refuses is sent again, once", async () => {
  await using the = await panelWorld({ env: admission({ perOwner: 2, waitMs: 200 }) });
  const key = await acceptedKey(the);
  const page = await the.open("imports/new");
  const input = page.locator('input[type="file"]');
  await input.waitFor({ state: "attached" });
  const held = await stuck(the);
  const calls = held.send(key, 2);
  await until(the, 2, 0);
  const lines = Array.from({ length: 40_000 }, (_, n) => `Lead ${n},lead-${n}@example.org,${"x".repeat(60)}`);
  await input.setInputFiles({
    name: "large.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(["Name,E-mail,Notes", ...lines].join("\n")),
  });
  await page.getByRole("status").filter({ hasText: BUSY }).waitFor();
  await checkPage(page);
  await held.release();
  await page.waitForURL(/imports\/imp_/);
  await page.getByText("Continue to columns").waitFor();
  assert.equal((await the.sql("SELECT FROM store.import")).length, 1);
  await Promise.all(calls);
});

/** The buttons and fields that the line about a busy service covers. */
const COVERED = `(() => {
  const line = [...document.querySelectorAll("[role=status]")].find((one) => one.innerText === ${JSON.stringify(BUSY)});
  const bar = line.getBoundingClientRect();
  return [...document.querySelectorAll("button, input, textarea")]
    .filter((one) => {
      const box = one.getBoundingClientRect();
      return box.width > 0 && box.left < bar.right && box.right > bar.left && box.top < bar.bottom && box.bottom > bar.top;
    })
    .map((one) => one.innerText || one.getAttribute("aria-label"));
})()`;

large(
  "on a phone, the line about a busy service covers no button of what is selected or of a dialog",
  async () => {
    await using the = await panelWorld({ env: admission({ perOwner: 2, waitMs: 200 }) });
    const key = await acceptedKey(the);
    await seedLeads(the, 3);
    const page = await the.open("leads", { size: PHONE });
    const busy = page.getByRole("status").filter({ hasText: BUSY });
    await page.getByRole("checkbox", { name: "Select: Ana Almeida 1" }).check();
    for (const what of ["bar", "dialog"]) {
      if (what === "dialog") {
        await page.getByRole("button", { name: "New lead" }).click();
        await page.getByRole("dialog").getByLabel("Name").fill("Dora");
      }
      const held = await stuck(the);
      const calls = held.send(key, 2);
      await until(the, 2, 0);
      if (what === "bar") await page.getByPlaceholder(/search/i).fill("Ana");
      else
        await page
          .getByRole("dialog")
          .getByRole("button", { name: /create/i })
          .click();
      await busy.waitFor();
      assert.deepEqual(await page.evaluate(COVERED), [], what);
      await held.release();
      await busy.waitFor({ state: "detached" });
      await Promise.all(calls);
    }
  },
);
