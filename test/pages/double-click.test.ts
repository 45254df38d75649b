import assert from "node:assert/strict";
import { test } from "node:test";
import { realBrowser } from "../chromium.ts";
import { settledOf } from "../panel/support/settled.ts";
import { world } from "../world.ts";

test("a double click on a page's button sends its form once: one project, and a new key that is shown", async () => {
  await using the = await world({ alone: true });
  const browser = await realBrowser();
  const context = await browser.newContext({ locale: "en" });
  const { cookies } = await the.signedIn();
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: the.authUrl })));
  const page = await context.newPage();
  let posts = 0;
  page.on("request", (request) => {
    if (request.method() === "POST") posts += 1;
  });
  await page.goto(`${the.authUrl}/projects/${the.project.id}/settings/api-keys`);
  await page.getByRole("textbox", { name: "Name" }).fill("Report");
  await page.getByRole("button", { name: "Create key" }).dblclick();
  await page.locator("#new-key").waitFor();
  assert.equal(posts, 1);

  const settled = settledOf(page);
  await page.goto(`${the.authUrl}/`);
  await page.getByRole("textbox", { name: "Name" }).fill("Twice");
  await page.getByRole("button", { name: "Create a project" }).dblclick();
  await page.waitForURL("**/projects/prj_**");
  await settled();
  assert.equal((await the.sql("SELECT FROM store.project WHERE name = 'Twice'")).length, 1);
  // back on the page, its form can be sent again
  await page.goBack();
  await page.getByRole("textbox", { name: "Name" }).fill("Other");
  await page.getByRole("button", { name: "Create a project" }).click();
  await page.waitForURL("**/projects/prj_**");
  await browser.close();
});
