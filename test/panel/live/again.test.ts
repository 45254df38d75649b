import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page, Request } from "playwright-core";
import { large } from "../../large.ts";
import { follows, named, requestsOf, twoPeople } from "../support/two-people.ts";

/** Lets the next calls of a page that match fail without an answer; returns how many did. */
async function failNext(page: Page, count: number, matches: (request: Request) => boolean) {
  const failed = { count: 0 };
  await page.route("**/v1/leads/search", (route, request) => {
    if (failed.count >= count || !matches(request)) return route.continue();
    failed.count += 1;
    return route.abort("connectionreset");
  });
  return failed;
}

const filterOf = (request: Request) =>
  JSON.stringify((request.postDataJSON() as { filter?: unknown }).filter ?? "");

large("a row or card whose new values could not be read is read again, without another event", async () => {
  await using the = await twoPeople();
  const [bea = ""] = await named(the.maker, ["Bea"], { company: "Old" });
  for (const screen of ["leads", "board"]) {
    const page = await the.open(screen);
    await page.getByText("Old", { exact: true }).first().waitFor();
    await follows(page);
    const failed = await failNext(page, 2, (request) => filterOf(request).includes(bea));
    await the.maker.send("PATCH", `/api/v1/leads/${bea}`, { company: `New ${screen}` });
    await page.getByText(`New ${screen}`, { exact: true }).first().waitFor();
    assert.equal(failed.count, 2);
    await the.maker.send("PATCH", `/api/v1/leads/${bea}`, { company: "Old" });
    await page.context().close();
  }
});

large("a page that could not be read again for a new lead is read once more", async () => {
  await using the = await twoPeople();
  await named(the.maker, ["Bea"]);
  const page = await the.open("leads");
  await page.getByRole("link", { name: "Bea" }).waitFor();
  await follows(page);
  const failed = await failNext(page, 2, () => true);
  await named(the.maker, ["Newcomer"]);
  await page.getByRole("link", { name: "Newcomer" }).waitFor();
  assert.equal(failed.count, 2);
});

test("a call for changed leads that is refused is not repeated", async () => {
  await using the = await twoPeople();
  const [bea = ""] = await named(the.maker, ["Bea"], { company: "Old" });
  const page = await the.open("leads");
  await page.getByText("Old", { exact: true }).first().waitFor();
  await follows(page);
  const asked = requestsOf(page, "/leads/search");
  const error = { code: "invalid", message: "Refused.", details: [] };
  await page.route("**/v1/leads/search", (route) =>
    route.fulfill({ status: 422, json: { error, request_id: "req_1" } }),
  );
  await the.maker.send("PATCH", `/api/v1/leads/${bea}`, { company: "New" });
  await page.waitForTimeout(3_000);
  assert.equal(asked.length, 1);
});

large(
  "counts of leads wait for the ones before them, none is given up for the next, and the exact one is rarer",
  async () => {
    await using the = await twoPeople();
    await named(the.maker, ["Bea"]);
    let [running, most, exact, rough] = [0, 0, 0, 0];
    const page = await the.open("imports");
    const aborted: string[] = [];
    page.on("requestfailed", (request) => {
      if (request.url().includes("/count")) aborted.push(request.url());
    });
    await page.route("**/v1/leads/count", async (route, request) => {
      const isExact = (request.postDataJSON() as { exact?: boolean }).exact === true;
      if (isExact) exact += 1;
      else rough += 1;
      running += isExact ? 1 : 0;
      most = Math.max(most, running);
      await page.waitForTimeout(isExact ? 2_500 : 100);
      running -= isExact ? 1 : 0;
      await route.fulfill({
        json: isExact ? { count: 12_000 + exact, relation: "eq" } : { count: 10_000, relation: "gte" },
      });
    });
    await page.goto(page.url().replace("imports", "leads"));
    await page.getByText("12,001 leads").waitFor();
    await follows(page);
    for (let n = 0; n < 12; n += 1) {
      await named(the.maker, [`Newcomer ${n}`]);
      await page.waitForTimeout(400);
    }
    await page.getByText("12,002 leads").waitFor();
    assert.deepEqual([aborted, most], [[], 1]);
    assert.ok(rough >= 3, `${rough} counts up to the bound`);
    // the last leads are counted once more
    await page.getByText("12,003 leads").waitFor();
  },
);
