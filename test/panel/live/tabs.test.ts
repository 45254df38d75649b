import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page, Request } from "playwright-core";
import { large } from "../../large.ts";
import { follows, named, requestsOf, setHidden, twoPeople, untrusted } from "../support/two-people.ts";

const STREAM = "/events/stream";

/** Another tab of a page's browser. */
async function another(page: Page, watch: (tab: Page) => void = () => undefined): Promise<Page> {
  const tab = await page.context().newPage();
  watch(tab);
  await tab.goto(page.url());
  await tab.locator("h1").first().waitFor();
  return tab;
}

const shows = (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();

test("the tabs of a browser share one stream, and all follow", async () => {
  await using the = await twoPeople();
  const [bea = ""] = await named(the.maker, ["Bea"], { company: "Old" });
  const first = await the.open("leads");
  const streams: Request[] = [];
  const watch = (tab: Page) =>
    tab.on("request", (request) => request.url().includes(STREAM) && streams.push(request));
  await follows(first);
  assert.equal(the.service.live.streams.open, 1);
  const [second, third] = [await another(first, watch), await another(first, watch)];
  await follows(third);
  assert.deepEqual([streams.length, the.service.live.streams.open], [0, 1]);
  await the.maker.send("PATCH", `/api/v1/leads/${bea}`, { company: "Aurora" });
  for (const tab of [first, second, third]) await shows(tab, "Aurora");
});

large(
  "when the tab that has the stream closes, another one goes on, and nothing is lost or read twice",
  async () => {
    await using the = await twoPeople();
    const ids = await named(the.maker, ["Bea", "Caio", "Davi"], { company: "Old" });
    const first = await the.open("leads");
    await follows(first);
    let asked: Request[] = [];
    const second = await another(first, (tab) => {
      asked = requestsOf(tab, "/leads/search");
    });
    await follows(second);
    await the.maker.send("PATCH", `/api/v1/leads/${ids[0]}`, { company: "One" });
    await shows(second, "One");
    const read = asked.length;
    // changes before, while and after the first tab closes
    const writing = (async () => {
      for (let n = 1; n <= 20; n += 1) {
        await the.maker.send("PATCH", `/api/v1/leads/${ids[1]}`, { company: `Step ${n}` });
        if (n === 10) await the.maker.send("PATCH", `/api/v1/leads/${ids[2]}`, { company: "Between" });
        await sleep(20);
      }
    })();
    await sleep(150);
    await first.close();
    await writing;
    await shows(second, "Step 20");
    await shows(second, "Between");
    await sleep(500);
    assert.equal(the.service.live.streams.open, 1);
    // all of it came as events: the whole list was not read again
    const bodies = asked.slice(read).map((request) => request.postDataJSON() as { filter?: unknown });
    assert.ok(
      bodies.length > 0 && bodies.every(({ filter }) => filter !== undefined),
      JSON.stringify(bodies),
    );
  },
);

large(
  "a tab that hangs loses the stream to one that is visible, and follows again when it is back",
  async () => {
    await using the = await twoPeople();
    const [bea = ""] = await named(the.maker, ["Bea"], { company: "Old" });
    const first = await the.open("imports");
    // a tab that holds the lock and says nothing
    const take = (how: object) =>
      first.evaluate(`(() => {
      const name = "leadgate live ${the.person.id} ${the.project.id}";
      navigator.locks.request(name, ${JSON.stringify(how)}, () => new Promise((go) => (globalThis.letGo = go)))
        .catch(() => undefined);
    })()`);
    await take({});
    const second = await first.context().newPage();
    await second.clock.install();
    await second.goto(first.url().replace("imports", "leads"));
    await shows(second, "Old");
    await second.clock.runFor(30_000);
    const { streams } = the.service.live;
    assert.ok(streams.open < 1);
    await second.clock.runFor(35_000);
    while (streams.open < 1) await sleep(20);
    const running = setInterval(() => void second.clock.runFor(200).catch(() => undefined), 100);
    try {
      await the.maker.send("PATCH", `/api/v1/leads/${bea}`, { company: "Aurora" });
      await shows(second, "Aurora");
      await take({ steal: true });
      while (streams.open > 0) await sleep(20);
      await the.maker.send("PATCH", `/api/v1/leads/${bea}`, { company: "Missed" });
      await first.evaluate("letGo()");
      await shows(second, "Missed");
    } finally {
      clearInterval(running);
    }
  },
);

large("without TLS browsers have no locks: each tab has a stream of its own, and all follow", async () => {
  await using the = await twoPeople(await untrusted());
  const [bea = ""] = await named(the.maker, ["Bea"], { company: "Old" });
  const first = await the.open("leads");
  assert.equal(await first.evaluate("navigator.locks"), undefined);
  const second = await another(first);
  await follows(second);
  assert.equal(the.service.live.streams.open, 2);
  const asked = requestsOf(first, "/leads/search");
  await the.maker.send("PATCH", `/api/v1/leads/${bea}`, { company: "Aurora" });
  for (const tab of [first, second]) await shows(tab, "Aurora");
  assert.deepEqual(
    asked.map((request) => (request.postDataJSON() as { filter: unknown }).filter),
    [{ field: "id", op: "in", value: [bea] }],
  );
  await named(the.maker, ["Newcomer"]);
  for (const tab of [first, second]) await shows(tab, "Newcomer");
  await second.close();
  while (the.service.live.streams.open > 1) await sleep(20);
  await first.context().setOffline(true);
  await the.maker.send("PATCH", `/api/v1/leads/${bea}`, { company: "Missed" });
  await first.context().setOffline(false);
  await shows(first, "Missed");
});

large(
  "without TLS, tabs in the background leave the browser its six connections, and on return what was missed is there",
  async () => {
    await using the = await twoPeople(await untrusted());
    const [bea = ""] = await named(the.maker, ["Bea"], { company: "Old" });
    const first = await the.open("leads");
    await follows(first);
    let front = first;
    for (let n = 0; n < 7; n += 1) {
      await setHidden(front, true);
      front = await another(front);
      await follows(front);
    }
    await the.maker.send("PATCH", `/api/v1/leads/${bea}`, { company: "Aurora" });
    await shows(front, "Aurora");
    await setHidden(front, true);
    await setHidden(first, false);
    await shows(first, "Aurora");
    await the.maker.send("PATCH", `/api/v1/leads/${bea}`, { company: "After" });
    await shows(first, "After");
  },
);

test("what was missed while the browser was offline is there when it is back", async () => {
  await using the = await twoPeople();
  const [bea = ""] = await named(the.maker, ["Bea"], { company: "Old" });
  const page = await the.open("leads");
  await follows(page);
  await page.context().setOffline(true);
  await the.maker.send("PATCH", `/api/v1/leads/${bea}`, { company: "Aurora" });
  await named(the.maker, ["Newcomer"]);
  await sleep(1_000);
  assert.equal(await page.getByText("Aurora").count(), 0);
  await page.context().setOffline(false);
  await shows(page, "Aurora");
  await shows(page, "Newcomer");
  await follows(page);
  await the.maker.send("PATCH", `/api/v1/leads/${bea}`, { company: "After" });
  await shows(page, "After");
});

large("a service that refuses for a while is tried again, from where the stream stopped", async () => {
  await using the = await twoPeople();
  const [bea = ""] = await named(the.maker, ["Bea"], { company: "Old" });
  const page = await the.open("leads");
  await follows(page);
  let tried = 0;
  await page.route(`**${STREAM}**`, (route) => {
    tried += 1;
    return tried < 3 ? route.fulfill({ status: 503, body: "" }) : route.continue();
  });
  await page.context().setOffline(true);
  await the.maker.send("PATCH", `/api/v1/leads/${bea}`, { company: "Aurora" });
  await page.context().setOffline(false);
  await shows(page, "Aurora");
  assert.equal(tried, 3);
});

large("a cursor that is refused is replaced by the feed's end, and what is shown is read again", async () => {
  await using the = await twoPeople();
  const [bea = ""] = await named(the.maker, ["Bea"], { company: "Old" });
  const page = await the.open("leads");
  await follows(page);
  let isFirst = true;
  await page.route(`**${STREAM}**`, (route) => {
    const url = isFirst
      ? route
          .request()
          .url()
          .replace(/cursor=[^&]+/, "cursor=x")
      : route.request().url();
    isFirst = false;
    return route.continue({ url });
  });
  await page.context().setOffline(true);
  await the.maker.send("PATCH", `/api/v1/leads/${bea}`, { company: "Aurora" });
  await page.context().setOffline(false);
  await shows(page, "Aurora");
  await follows(page);
  await the.maker.send("PATCH", `/api/v1/leads/${bea}`, { company: "After" });
  await shows(page, "After");
});

large(
  "after a minute out of sight the stream is closed, and on return what was missed is there",
  async () => {
    await using the = await twoPeople();
    const [bea = ""] = await named(the.maker, ["Bea"], { company: "Old" });
    const page = await the.open("imports");
    await page.clock.install();
    await page.goto(page.url().replace("imports", "leads"));
    await shows(page, "Old");
    while (the.service.live.streams.open !== 1) await sleep(20);
    await setHidden(page, true);
    await page.clock.runFor(30_000);
    assert.equal(the.service.live.streams.open, 1);
    const asked = requestsOf(page, "/panel/api/");
    await the.maker.send("PATCH", `/api/v1/leads/${bea}`, { company: "Held" });
    await sleep(500);
    await page.clock.runFor(1_000);
    assert.equal(asked.length, 0);
    await page.clock.runFor(31_000);
    while (the.service.live.figures.readers > 0) await sleep(20);
    await the.maker.send("PATCH", `/api/v1/leads/${bea}`, { company: "Missed" });
    await setHidden(page, false);
    const running = setInterval(() => void page.clock.runFor(200).catch(() => undefined), 100);
    try {
      await shows(page, "Missed");
    } finally {
      clearInterval(running);
    }
  },
);

large(
  "no screen asks for anything while nothing happens, and screens that do not follow have no stream",
  async () => {
    await using the = await twoPeople();
    const [bea = ""] = await named(the.maker, ["Bea"]);
    for (const screen of ["leads", "board", "dashboard", "history", `leads/${bea}`]) {
      const page = await the.open(screen, { as: the.ana });
      await sleep(2_000);
      const asked = requestsOf(page, "/panel/api/");
      await sleep(4_000);
      assert.deepEqual(
        asked.map((request) => request.url()),
        [],
        screen,
      );
      await page.context().close();
    }
    while (the.service.live.streams.open > 0) await sleep(20);
    const page = await the.open("settings/statuses");
    await follows(page);
    assert.equal(the.service.live.streams.open, 0);
    assert.equal(the.service.live.figures.readers, 0);
  },
);

test("a session that ends ends the stream, and the person is asked to sign in", async () => {
  await using the = await twoPeople();
  const page = await the.open("leads", { as: the.ana });
  await follows(page);
  await the.sql("DELETE FROM session WHERE person_id = $1", [the.ana.id]);
  await page.getByRole("dialog", { name: "You are signed out" }).waitFor();
  const asked = requestsOf(page, STREAM);
  await sleep(2_000);
  assert.equal(asked.length, 0);
});

large("another project of the same tab has a stream of its own, and the first one's is closed", async () => {
  await using the = await twoPeople();
  const other = await the.newProject(the.person, "Second");
  await named(the.maker, ["Bea"]);
  const page = await the.open("leads");
  await follows(page);
  const streams = requestsOf(page, STREAM);
  await page.goto(`${the.authUrl}/projects/${other.id}/leads`);
  await page.locator("h1").first().waitFor();
  await follows(page);
  assert.deepEqual(
    streams.map((request) => request.url().includes(`/panel/api/${other.id}/`)),
    [true],
  );
  assert.equal(the.service.live.streams.open, 1);
});
