import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig } from "../../src/config/config.ts";
import { sweep } from "../../src/domain/upkeep/sweep.ts";
import { earlier } from "../citus/earlier.ts";
import { Application, refusalIn } from "../oauth/support/application.ts";
import { type World, world } from "../world.ts";
import { entriesOf } from "./support/log-entries.ts";

const REPLAY = "400 invalid_grant: replay detected";

/** Writes entries of this age about the person. */
const past = (the: World, action: string, age: string, count = 1) =>
  the.sql(
    `INSERT INTO audit (at, action, project_id, person_id)
     SELECT moment() - $1::interval, $2, $3, $4 FROM generate_series(1, $5)`,
    [age, action, the.project.id, the.person.id, count],
  );

test("the log keeps its entries for AUDIT_DAYS, and says so to those who read it", async () => {
  await using the = await world({ env: { AUDIT_DAYS: "90" } });
  await past(the, "test.old", "91 days", 3_500);
  await past(the, "test.young", "89 days", 2);
  await past(the, "test.late", "90 days 1 minute");
  await sweep(the.service);
  const browser = await the.signedIn();
  const paths = ["/account/log", `/projects/${the.project.id}/settings/log`];
  for (const path of paths) {
    const kept = (await entriesOf(browser, path)).filter(({ action }) => action.startsWith("test."));
    assert.deepEqual(
      kept.map(({ action }) => action),
      ["test.young", "test.young"],
    );
    assert.match(await (await browser.get(path)).text(), /Entries are kept for 90 days\./);
    const portuguese = await (await browser.get(path, { "Accept-Language": "pt-BR" })).text();
    assert.match(portuguese, /Os registros são guardados por 90 dias\./);
  }
});

test("without AUDIT_DAYS the log keeps everything", async () => {
  await using the = await world();
  await past(the, "test.old", "20 years");
  await sweep(the.service);
  const browser = await the.signedIn();
  assert.equal((await entriesOf(browser, "/account/log", "test.old")).length, 1);
  assert.ok(!(await (await browser.get("/account/log")).text()).includes("are kept for"));
});

test("a replay whose entry was swept is an entry again", async () => {
  await using the = await world({ env: { AUDIT_DAYS: "1" } });
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const { refresh } = await app.tokens(browser);
  await app.refresh(refresh);
  assert.equal(await refusalIn(await app.refresh(refresh)), REPLAY);
  await the.sql(`UPDATE audit SET at = ${earlier("at", "interval '2 days'")}`);
  await sweep(the.service);
  for (let count = 0; count < 3; count += 1)
    assert.equal(await refusalIn(await app.refresh(refresh)), REPLAY);
  const entries = await entriesOf(browser, "/account/log");
  assert.deepEqual(
    entries.map(({ action, repeated }) => [action, repeated]),
    [["refresh.replayed", 2]],
  );
});

test("an AUDIT_DAYS that makes no sense stops the start with a message that says what to write", () => {
  assert.equal(readConfig({ AUDIT_DAYS: "365" }).auditDays, 365);
  for (const none of [{}, { AUDIT_DAYS: "" }]) assert.equal(readConfig(none).auditDays, undefined);
  for (const AUDIT_DAYS of ["0", "-1", "1.5", "ninety", "90d", " 90", "100000", "1e3"])
    assert.throws(
      () => readConfig({ AUDIT_DAYS }),
      /^Error: AUDIT_DAYS is ".*"; it must be a whole number of days/,
    );
});
