import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { perform } from "../../src/domain/operation/operation.ts";
import { deleteAccount } from "../../src/domain/projects/delete-account.ts";
import { formOf } from "../browser.ts";
import { lockWaits } from "../lock-waits.ts";
import { Application } from "../oauth/support/application.ts";
import { type World, world } from "../world.ts";
import { isIn, read, send } from "./support/visiting.ts";

const settingsOf = (projectId: string) => `/projects/${projectId}/settings`;

const erased = async (the: World) => {
  while ((await the.sql("SELECT FROM project_to_erase")).length > 0)
    await new Promise((resolve) => setTimeout(resolve, 50));
};

test("the only owner of a project is shown which one, and keeps the account until the project has another owner", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  const told = await read(await browser.get("/account/delete"));
  assert.match(told, /only owner of these projects.*Harbour Sales.*make someone else an owner/);
  const refused = await send(browser, "/account/delete", { password: the.person.password });
  assert.equal(refused.status, 409);
  const heir = await the.newPerson("Heir");
  await the.join(heir, the.project.id, "owner");
  assert.match(await read(await browser.get("/account/delete")), /leave these projects.*Harbour Sales/);
  assert.equal((await send(browser, "/account/delete", { password: "wrong one" })).status, 403);
  assert.ok(await isIn(browser));
  const gone = await send(browser, "/account/delete", { password: the.person.password });
  assert.match(await read(gone), /Your account has been deleted/);
  assert.ok(!(await isIn(browser)));
  assert.equal((await the.browser().signIn(the.person)).status, 401);
});

test("a deleted account ends sessions and authorizations; the log stays, without the e-mail", async () => {
  await using the = await world();
  const [leaver, email] = [await the.newPerson("Leaver"), "secret-address@example.org"];
  await the.sql("UPDATE person SET email = $2 WHERE id = $1", [leaver.id, email]);
  await the.join(leaver, the.project.id, "editor");
  const browser = await the.signedIn({ ...leaver, email });
  const other = await the.signedIn({ ...leaver, email });
  const app = await Application.register(the);
  const tokens = await app.tokens(browser);
  await the.sql(
    `INSERT INTO audit (action, person_id, data) VALUES ('x', $1, '{"email": "${email}", "k": 1}')`,
    [leaver.id],
  );
  assert.ok(await app.isActive(tokens.access));
  await send(browser, "/account/delete", { password: leaver.password });
  assert.ok(!(await app.isActive(tokens.access)));
  assert.equal((await app.refresh(tokens.refresh)).status, 400);
  assert.ok(!(await isIn(other)));
  const [authorization] = await the.sql<{ why: string }>(
    'SELECT revoked_why AS why FROM store."authorization"',
  );
  assert.equal(authorization?.why, "removed");
  const entries = await the.sql<{ action: string; text: string }>(
    "SELECT action, audit::text AS text FROM audit WHERE person_id = $1",
    [leaver.id],
  );
  assert.ok(entries.some(({ action }) => action === "person.deleted"));
  assert.ok(entries.some(({ action }) => action === "member.left"));
  assert.ok(entries.every(({ text }) => !text.includes(email)));
  assert.deepEqual(await the.sql("SELECT FROM membership WHERE person_id = $1", [leaver.id]), []);
});

test("two owners who delete themselves at once never leave a project without an owner", async () => {
  await using the = await world();
  for (let round = 0; round < 8; round += 1) {
    const [one, two] = [await the.newPerson(`One ${round}`), await the.newPerson(`Two ${round}`)];
    const first = await the.newProject(one, `First ${round}`);
    const second = await the.newProject(two, `Second ${round}`);
    await the.join(two, first.id, "owner");
    await the.join(one, second.id, "owner");
    const outcomes = await Promise.allSettled(
      [one, two].map((person) => perform(the.service, deleteAccount, { person, session: "" }, person)),
    );
    assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
    const owners = await the.sql<{ owners: number }>(
      "SELECT count(*)::int AS owners FROM membership WHERE project_id = ANY($1) AND role = 'owner' GROUP BY project_id",
      [[first.id, second.id]],
    );
    assert.deepEqual(owners, [{ owners: 1 }, { owners: 1 }]);
  }
});

test("a person who becomes a project's only owner while their account is deleted keeps it", async () => {
  await using the = await world();
  const [leaver, owner] = [await the.newPerson("Leaver"), await the.newPerson("Owner")];
  const { id } = await the.newProject(owner, "Handed over");
  const browser = await the.signedIn(leaver);
  // The project is handed over by this connection, which the deletion has to wait for.
  const holder = new pg.Client({
    connectionString: the.databaseUrl,
    options: "-c search_path=leadgate,store,public",
  });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query("INSERT INTO membership (person_id, project_id, role) VALUES ($1, $2, 'owner')", [
    leaver.id,
    id,
  ]);
  await holder.query("DELETE FROM membership WHERE person_id = $1 AND project_id = $2", [owner.id, id]);
  const deleting = send(browser, "/account/delete", { password: leaver.password });
  while ((await lockWaits(the)) === 0) await sleep(10);
  await holder.query("COMMIT");
  await holder.end();
  const answer = await deleting;
  assert.equal(answer.status, 409);
  assert.match(await read(answer), /only owner of these projects.*Handed over/);
  assert.ok(await isIn(browser));
  assert.deepEqual(await the.sql("SELECT person_id, role FROM membership WHERE project_id = $1", [id]), [
    { person_id: leaver.id, role: "owner" },
  ]);
});

test("an account that is deleted while it creates projects leaves no project without an owner", async () => {
  await using the = await world();
  const person = await the.newPerson("Busy");
  const browser = await the.signedIn(person);
  const { hidden } = await formOf(await browser.get("/"));
  const create = (name: string) => browser.post("/projects", { ...hidden, name });
  await Promise.all([
    create("Late"),
    create("Later"),
    perform(the.service, deleteAccount, { person, session: "" }, person).catch(() => undefined),
  ]);
  const orphans = await the.sql(
    "SELECT FROM store.project p WHERE NOT EXISTS (SELECT FROM membership m WHERE m.project_id = p.project_id)",
  );
  assert.deepEqual(orphans, []);
});

test("an owner deletes a project by typing its name; no person or credential reaches it afterwards", async () => {
  await using the = await world();
  const key = await the.key();
  const admin = await the.newPerson("Adm");
  await the.join(admin, the.project.id, "admin");
  const adminBrowser = await the.signedIn(admin);
  const app = await Application.register(the);
  const tokens = await app.tokens(adminBrowser);
  await the.sql(
    `INSERT INTO store.lead (project_id, id, name) SELECT $1, 'lead_' || n, 'L' FROM generate_series(1, 5000) n`,
    [the.project.id],
  );
  await the.sql(
    `INSERT INTO store.event (project_id, id, lead_id, type, occurred_at, title)
     SELECT $1, 'evt_' || n, 'lead_' || n, 'x', now(), 't' FROM generate_series(1, 5000) n`,
    [the.project.id],
  );
  const settings = settingsOf(the.project.id);
  assert.ok(!(await (await adminBrowser.get(settings)).text()).includes("/delete"));
  assert.equal((await send(adminBrowser, `${settings}/delete`, { name: "Harbour Sales" })).status, 403);
  const owner = await the.signedIn();
  assert.match(await read(await owner.get(settings)), /5,000/);
  assert.equal((await send(owner, `${settings}/delete`, { name: "Harbour" })).status, 400);
  const done = await send(owner, `${settings}/delete`, {
    name: " harbour sales ".replace("harbour sales", "Harbour  Sales"),
  });
  assert.equal(done.headers.get("location"), "/");
  assert.equal((await owner.get(`/projects/${the.project.id}`)).status, 404);
  assert.equal((await key.query({})).status, 401);
  assert.ok(!(await app.isActive(tokens.access)));
  assert.doesNotMatch(await read(await adminBrowser.get("/")), /Harbour Sales/);
  await erased(the);
  for (const table of ["project", "lead", "event", "api_key", '"authorization"', "access_token"]) {
    assert.deepEqual(
      await the.sql(`SELECT FROM store.${table} WHERE project_id = $1`, [the.project.id]),
      [],
      table,
    );
  }
  const entries = await the.sql("SELECT FROM audit WHERE action = 'project.deleted' AND project_id = $1", [
    the.project.id,
  ]);
  assert.equal(entries.length, 1);
});
