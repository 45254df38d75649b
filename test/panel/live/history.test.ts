import assert from "node:assert/strict";
import { large } from "../../large.ts";
import { follows, named, requestsOf, twoPeople } from "../support/two-people.ts";

large(
  "a filtered history says that there may be new changes, only if they can match, and a click loads them",
  async () => {
    await using the = await twoPeople();
    const [bea = "", caio = ""] = await named(the.maker, ["Bea", "Caio"]);
    const [ofBea, before] = [
      await the.open(`history?lead=${bea}`),
      await the.open("history?to=2026-01-01", { as: the.ana }),
    ];
    const news = ofBea.getByRole("button", { name: /new change/ });
    const lines = ofBea.getByRole("list", { name: "Changes" }).getByRole("listitem");
    await lines.first().waitFor();
    await follows(before);
    await the.maker.send("PATCH", `/api/v1/leads/${caio}`, { city: "Lisboa" });
    await ofBea.waitForTimeout(1_000);
    assert.equal(await news.count(), 0);
    await the.maker.send("PATCH", `/api/v1/leads/${bea}`, { city: "Porto" });
    await ofBea.getByRole("button", { name: "There may be new changes" }).click();
    await news.waitFor({ state: "detached" });
    while ((await lines.count()) !== 2) await ofBea.waitForTimeout(20);
    assert.equal(await before.getByRole("button", { name: /new change/ }).count(), 0);
  },
);

large("a change that began before those in the list and still runs is not a new one", async () => {
  await using the = await twoPeople();
  const [bea = ""] = await named(the.maker, ["Bea"]);
  for (let n = 0; n < 60; n += 1)
    await the.maker.send("PATCH", `/api/v1/leads/${bea}`, { city: `City ${n}` });
  const page = await the.open("history");
  await page.getByRole("button", { name: "Show earlier changes" }).waitFor();
  await follows(page);
  const asked = requestsOf(page, "/v1/changes");
  const created = await the.sql("SELECT * FROM store.event WHERE lead_id = $1 AND type = 'lead.created'", [
    bea,
  ]);
  await the.sql(
    `INSERT INTO store.event (project_id, id, lead_id, type, occurred_at, source, actor, title, change_id)
     SELECT project_id, 'evt_' || repeat('z', 26), lead_id, 'call.made', moment(), source, actor, title, change_id
     FROM jsonb_to_recordset($1::jsonb) AS c (project_id text, lead_id text, source text, actor jsonb, title text, change_id text)`,
    [JSON.stringify(created)],
  );
  await page.waitForTimeout(1_000);
  assert.equal(await page.getByRole("button", { name: /new change/ }).count(), 0);
  await the.maker.send("PATCH", `/api/v1/leads/${bea}`, { city: "Porto" });
  await page.getByRole("button", { name: "1 new change" }).waitFor();
  assert.equal(asked.length, 0);
});
