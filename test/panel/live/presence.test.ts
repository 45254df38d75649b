import assert from "node:assert/strict";
import { large } from "../../large.ts";
import { checkPage, PHONE } from "../support/panel.ts";
import { named, requestsOf, twoPeople } from "../support/two-people.ts";

large(
  "who has the lead open is at its head, once for several tabs, never oneself, and goes when they leave",
  async () => {
    await using the = await twoPeople();
    const [bea = "", caio = ""] = await named(the.maker, ["Bea", "Caio"]);
    const mine = await the.open(`leads/${bea}`);
    const theirs = await the.open(`leads/${bea}`, { as: the.ana });
    const note = mine.getByText("Ana\u2069 is viewing this lead");
    await note.waitFor();
    await theirs.getByText(/is viewing this lead/).waitFor();
    assert.equal(await mine.getByText(/viewing this lead/).count(), 1);
    await checkPage(mine);
    const tab = await theirs.context().newPage();
    await tab.goto(theirs.url());
    await tab.locator("h1").first().waitFor();
    await mine.waitForTimeout(1_500);
    assert.equal(await note.count(), 1);
    await tab.goto(theirs.url().replace(bea, caio));
    await tab.locator("h1").first().waitFor();
    await mine.waitForTimeout(1_500);
    assert.equal(await note.count(), 1);
    await theirs.getByRole("link", { name: "Back to list" }).click();
    await note.waitFor({ state: "detached" });
    await tab.close();
    while ((await the.sql("SELECT FROM store.presence WHERE person_id = $1", [the.ana.id])).length > 0)
      await mine.waitForTimeout(50);
  },
);

large("more than three people are counted, also on a phone and in Portuguese", async () => {
  await using the = await twoPeople();
  const [bea = ""] = await named(the.maker, ["Bea"]);
  for (const name of ["Bia", "Caio", "Davi", "Eva", "Fabi"]) {
    const person = await the.newPerson(name);
    await the.join(person, the.project.id, "viewer");
    await the.sql(
      "INSERT INTO store.presence (project_id, lead_id, person_id, viewer) VALUES ($1, $2, $3, 'x')",
      [the.project.id, bea, person.id],
    );
  }
  const page = await the.open(`leads/${bea}`, { size: PHONE, language: "pt-BR" });
  await page.getByText("+2", { exact: true }).waitFor();
  await page.getByText(/Bia.*Caio.*Davi.* e mais 2 estão vendo este lead/).waitFor();
  await checkPage(page);
  const asked = requestsOf(page, "/panel/api/presence/");
  await page.waitForTimeout(3_000);
  assert.equal(asked.length, 0);
});

large("who left while the browser was offline is gone when it is back", async () => {
  await using the = await twoPeople();
  const [bea = ""] = await named(the.maker, ["Bea"]);
  const mine = await the.open(`leads/${bea}`);
  const theirs = await the.open(`leads/${bea}`, { as: the.ana });
  const note = mine.getByText("Ana\u2069 is viewing this lead");
  await note.waitFor();
  await mine.context().setOffline(true);
  await theirs.getByRole("link", { name: "Back to list" }).click();
  while ((await the.sql("SELECT FROM store.presence WHERE person_id = $1", [the.ana.id])).length > 0)
    await mine.waitForTimeout(50);
  await mine.context().setOffline(false);
  await note.waitFor({ state: "detached" });
});
