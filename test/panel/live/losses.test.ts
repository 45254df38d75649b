import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { large } from "../../large.ts";
import { lacksNetwork } from "../../programs.ts";
import { follows, named, requestsOf, twoPeople } from "../support/two-people.ts";

const STREAM = "/events/stream";
const FEED = "/v1/events?";
const skip = lacksNetwork();

/** Breaks the connection of a page and lets it connect again, after `meanwhile`. */
async function reconnect(page: Page, meanwhile: () => Promise<unknown> = async () => undefined) {
  const broken = page.waitForEvent("requestfailed", (request) => request.url().includes(STREAM));
  await page.context().setOffline(true);
  await broken;
  await meanwhile();
  await page.context().setOffline(false);
}

/** Puts the clock of a page forward, as if nobody had used it for that long. */
const later = (page: Page, minutes: number) => page.clock.setSystemTime(Date.now() + minutes * 60_000);

test("a stream that connects again reports whether the person still uses the panel, so that it does not extend their session", {
  skip,
}, async () => {
  await using the = await twoPeople();
  const page = await the.open("leads");
  await follows(page);
  const streams = requestsOf(page, STREAM);
  const headers = () => streams.map((request) => request.headers()["x-leadgate-unattended"]);
  await reconnect(page);
  while (streams.length < 1) await sleep(20);
  assert.deepEqual(headers(), [undefined]);
  await later(page, 11);
  await reconnect(page);
  while (streams.length < 2) await sleep(20);
  assert.deepEqual(headers(), [undefined, "1"]);
});

test("a session that ended while the panel was not connected leads to sign-in, and nothing is asked again", {
  skip,
}, async () => {
  await using the = await twoPeople();
  const page = await the.open("leads", { as: the.ana });
  await follows(page);
  const asked = requestsOf(page, FEED);
  await later(page, 6);
  await reconnect(page, () => the.sql("DELETE FROM session WHERE person_id = $1", [the.ana.id]));
  await page.getByRole("dialog", { name: "You are signed out" }).waitFor();
  await sleep(3_000);
  assert.equal(asked.length, 1);
});

for (const [how, minutes] of [
  ["", 0],
  [" after a long time", 6],
] as const)
  large(
    `someone who is not a member any more when the panel connects again${how} sees in all tabs that the project is not found, and is not signed out`,
    { skip },
    async () => {
      await using the = await twoPeople();
      const page = await the.open("leads", { as: the.ana });
      await follows(page);
      const other = await page.context().newPage();
      await other.goto(page.url());
      await follows(other);
      const asked = [page, other].flatMap((tab) => [requestsOf(tab, FEED), requestsOf(tab, STREAM)]);
      if (minutes > 0) for (const tab of [page, other]) await later(tab, minutes);
      await reconnect(page, () => the.sql("DELETE FROM membership WHERE person_id = $1", [the.ana.id]));
      for (const tab of [page, other]) {
        await tab.getByRole("heading", { name: "Project not found" }).waitFor();
        assert.equal(await tab.getByRole("dialog").count(), 0);
      }
      const before = asked.flat().length;
      await sleep(2_500);
      assert.equal(asked.flat().length, before);
    },
  );

test("a stream that ends because the person may not read the project any more is no sign-out", {
  skip,
}, async () => {
  await using the = await twoPeople();
  const page = await the.open("leads", { as: the.ana });
  await follows(page);
  const end = { code: "forbidden", message: "The credential of this stream may not read leads any more." };
  let tried = 0;
  await page.route(`**${STREAM}**`, (route) => {
    tried += 1;
    return route.fulfill({
      contentType: "text/event-stream",
      body: `event: end\ndata: ${JSON.stringify(end)}\n\n`,
    });
  });
  await reconnect(page, () => the.sql("DELETE FROM membership WHERE person_id = $1", [the.ana.id]));
  await page.getByRole("heading", { name: "Project not found" }).waitFor();
  await sleep(1_500);
  assert.deepEqual([tried, await page.getByRole("dialog").count()], [1, 0]);
});

large("nobody is shown as viewing a lead while the panel is not connected", { skip }, async () => {
  await using the = await twoPeople();
  const [bea = ""] = await named(the.maker, ["Bea"]);
  const mine = await the.open(`leads/${bea}`);
  await the.open(`leads/${bea}`, { as: the.ana });
  const note = mine.getByText("Ana\u2069 is viewing this lead");
  await note.waitFor();
  await reconnect(mine, () => note.waitFor({ state: "detached" }));
  await note.waitFor();
});
