import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { follows, requestsOf, twoPeople } from "../support/two-people.ts";

const STREAM = "/events/stream";
const FEED = "/v1/events?";

/** Breaks the connection of a page and lets it connect again, after `meanwhile`. */
async function reconnect(page: Page, meanwhile: () => Promise<unknown> = async () => undefined) {
  await page.context().setOffline(true);
  await meanwhile();
  await page.context().setOffline(false);
}

/** Puts the clock of a page forward, as if nobody had used it for that long. */
const later = (page: Page, minutes: number) => page.clock.setSystemTime(Date.now() + minutes * 60_000);

test("a stream that connects again reports whether the person still uses the panel, so that it does not extend their session", async () => {
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

test("a session that ended while the panel was not connected leads to sign-in, and nothing is asked again", async () => {
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
