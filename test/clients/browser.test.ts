import assert from "node:assert/strict";
import { test } from "node:test";
import { realBrowser } from "../chromium.ts";
import { world } from "../world.ts";
import { CALLBACK } from "./support/connection.ts";
import { openidClient } from "./support/openid-client.ts";

test("an application is authorized by a person in a real browser, who signs in on the way", async () => {
  await using the = await world();
  const chromium = await realBrowser();
  try {
    const page = await chromium.newPage();
    const connection = await openidClient("by issuer").connect(the, async (address) => {
      await page.goto(address.href);
      await page.locator("[name=email]").fill(the.person.email);
      await page.locator("[name=password]").fill(the.person.password);
      await page.locator("[name=password]").press("Enter");
      await page.locator("[name=project_id]").first().check();
      const back = page.waitForRequest((request) => request.url().startsWith(CALLBACK));
      await page.locator("[name=decision][value=approve]").click();
      return new URL((await back).url());
    });
    assert.ok(await connection.isActive?.(connection.access));
    const renewed = await connection.renew(connection.refresh);
    assert.ok(await connection.isActive?.(renewed.access));
  } finally {
    await chromium.close();
  }
});
