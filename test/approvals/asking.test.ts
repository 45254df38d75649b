import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { changesData, permissionsOfGrant, SCOPES } from "../../src/core/permission.ts";
import type { Refusal } from "../../src/core/refusal.ts";
import { type MemberOperation, perform } from "../../src/domain/operation/operation.ts";
import { send } from "../accounts/support/visiting.ts";
import { formOf } from "../browser.ts";
import { Application } from "../oauth/support/application.ts";
import { world } from "../world.ts";
import { askingApplication } from "./support/asking.ts";

/** Returns all operations of members, from all rooms. */
async function memberOperations(): Promise<MemberOperation[]> {
  // Threads of their own, which begin when they are imported, have none.
  const modules = globSync("src/domain/**/*.ts").filter(
    (path) => !/(-worker|-thread|-as-csv)\.ts$/.test(path),
  );
  const all = new Set<unknown>();
  for (const path of modules)
    for (const value of Object.values(await import(pathToFileURL(resolve(path)).href))) all.add(value);
  return [...all].filter(
    (each): each is MemberOperation =>
      typeof each === "object" && each !== null && "enter" in each && "needs" in each,
  );
}

test("an application that has to ask is refused by every operation that changes something, and by no other", async () => {
  await using the = await world();
  const [asking, free] = [await askingApplication(the), await askingApplication(the, { asks: false })];
  const allowed = permissionsOfGrant(SCOPES, "owner");
  const answers = { refused: 0, passed: 0 };
  for (const operation of await memberOperations()) {
    const { name, needs, orNeeds, alsoNeeds, changes } = operation;
    const any = [needs, orNeeds ?? []].flat();
    const all = alsoNeeds === undefined ? [] : [alsoNeeds];
    const granted = any.some((each) => allowed.includes(each)) && all.every((each) => allowed.includes(each));
    const asks = changesData({ any, all, ...(changes === undefined ? {} : { changes }) });
    const code = async (caller: typeof asking.caller) =>
      await perform(the.service, operation, caller, { nothing: "of this kind" }).then(
        () => "done",
        (refusal: Refusal) => refusal.code,
      );
    const expected = granted
      ? asks
        ? /^needs_approval$/
        : /^(?!needs_approval|insufficient)/
      : /^insufficient_scope$/;
    assert.match(await code(asking.caller), expected, name);
    assert.doesNotMatch(await code(free.caller), /needs_approval/, name);
    answers[granted && asks ? "refused" : "passed"] += 1;
  }
  assert.ok(answers.refused > 35 && answers.passed > 35, JSON.stringify(answers));
  const dry = { op: "delete", filter: { field: "name", op: "is_not_empty" }, dry_run: true };
  const call = {
    ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
    params: { name: "bulk_update_leads", arguments: { ...dry, op: "set", set: { city: "Recife" } } },
  };
  const answer = await fetch(`${the.authUrl}/mcp`, {
    method: "POST",
    body: JSON.stringify(call),
    headers: {
      Authorization: `Bearer ${asking.access}`,
      ...{ "Content-Type": "application/json", Accept: "application/json, text/event-stream" },
    },
  });
  assert.equal(answer.status, 200, "a dry run changes nothing");
  assert.doesNotMatch(await answer.text(), /needs_approval/);
});

test("the person chooses at consent to be asked, finds the choice again, and changes it for the next call where their applications are listed", async () => {
  await using the = await world({ alone: true });
  const browser = await the.signedIn();
  const app = await Application.register(the);
  const page = async () => (await formOf(await browser.get(app.address()))).page;
  assert.match(await page(), /name="writes" value="propose">[\s\S]*Ask me before each change/);
  await app.tokens(browser, { asks: true });
  assert.match(await page(), /name="writes" value="propose" checked/);
  await app.tokens(browser, { scopes: ["mcp:read"] });
  assert.match(await page(), /name="writes" value="propose" checked/, "the choice is about writing");
  assert.doesNotMatch(
    (await formOf(await browser.get(app.address({ scope: "mcp:read" })))).page,
    /name="writes"/,
  );

  const [granted] = await the.sql<{ id: string }>(
    "SELECT id FROM store.authorization WHERE writes = 'propose'",
  );
  const id = granted?.id ?? "";
  const writes = async () =>
    (await the.sql<{ writes: string }>("SELECT writes FROM store.authorization WHERE id = $1", [id]))[0]
      ?.writes;
  assert.match(await (await browser.get("/connected-apps")).text(), /and delete\. Asks before each change\./);
  const own = { project_id: the.project.id, authorization_id: id };
  const settings = `/projects/${the.project.id}/settings/applications`;
  const owner = await the.newPerson("Otto");
  await the.join(owner, the.project.id, "owner");
  const other = await the.signedIn(owner);
  assert.match(await (await other.get(settings)).text(), /Asks before each change\./);
  assert.doesNotMatch(await (await other.get(settings)).text(), /applications\/writes/);
  assert.equal((await send(other, "/connected-apps/writes", { ...own, writes: "write" })).status, 404);
  assert.equal((await send(other, `${settings}/writes`, { id, writes: "write" })).status, 404);
  assert.equal(await writes(), "propose");

  assert.equal((await send(browser, "/connected-apps/writes", { ...own, writes: "write" })).status, 303);
  assert.equal(await writes(), "write");
  assert.equal((await send(browser, `${settings}/writes`, { id, writes: "propose" })).status, 303);
  assert.equal(await writes(), "propose");
  assert.equal((await send(browser, `${settings}/writes`, { id, writes: "all" })).status, 400);
  const log = await the.sql<{ data: object }>(
    "SELECT data - 'client_id' - 'client_name' AS data FROM leadgate.audit WHERE action = 'authorization.changed' ORDER BY id",
  );
  assert.deepEqual(
    log.map(({ data }) => data),
    [
      { authorization_id: id, writes: "write", former: "propose" },
      { authorization_id: id, writes: "propose", former: "write" },
    ],
  );
});
