import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page, Request } from "playwright-core";
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

test("a row or card whose new values could not be read is read again, without another event", async () => {
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

test("a page that could not be read again for a new lead is read once more", async () => {
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
