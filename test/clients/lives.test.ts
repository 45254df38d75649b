import assert from "node:assert/strict";
import { after, test } from "node:test";
import { inspect } from "node:util";
import { bodyOf, post } from "../oauth/support/application.ts";
import { type World, world } from "../world.ts";
import type { Ask, ClientLibrary, Connection } from "./support/connection.ts";
import { mcpClients } from "./support/mcp-clients.ts";
import { oauth4webapi } from "./support/oauth4webapi.ts";
import { openidClient } from "./support/openid-client.ts";
import { deciding, takeAllBack } from "./support/person.ts";
import { arctic, badgateway, simpleOauth2 } from "./support/plain-libraries.ts";

const LIBRARIES: ClientLibrary[] = [
  openidClient("by issuer"),
  openidClient("by document"),
  oauth4webapi("by issuer"),
  oauth4webapi("by address"),
  badgateway,
  simpleOauth2,
  arctic,
  ...mcpClients,
];

const the = await world({ alone: true });
after(() => the[Symbol.asyncDispose]());
const browser = await the.signedIn();
const approving = deciding(browser);

/** Whether the MCP server accepts this token; introspection must agree. */
async function works(connection: Connection, token: string): Promise<boolean> {
  const call = await fetch(`${the.authUrl}/mcp`, { headers: { Authorization: `Bearer ${token}` } });
  const active = await (connection.isActive?.(token) ?? isActive(token));
  assert.equal(call.status, active ? 200 : 401);
  return active;
}

const isActive = async (token: string): Promise<boolean> =>
  (await bodyOf(await post(the, "/api/oauth/introspect", { token }))).active === true;

async function end(connection: Connection, token: string): Promise<void> {
  await (connection.end?.(token) ?? post(the, "/api/oauth/revoke", { token }));
}

/**
 * Returns a check that an error contains this anywhere: each library hides the service's response elsewhere.
 */
const saying =
  (words: RegExp) =>
  (error: unknown): boolean =>
    words.test(inspect(error, { depth: 6 }));

const REPLAYED = saying(/replay detected|asked again/);
const GONE = saying(/invalid_grant/);

/** Returns the person's decision with its redirect changed. */
const tampered =
  (name: string, value: string): Ask =>
  async (address) => {
    const back = await approving(address);
    back.searchParams.set(name, value);
    return back;
  };

const grants = async (from: World): Promise<unknown[]> =>
  await from.sql("SELECT id FROM store.authorization");

for (const library of LIBRARIES) {
  test(`${library.name}: let in, renewed, replayed, ended by itself and by the person`, async () => {
    const first = await library.connect(the, approving);
    assert.ok(await works(first, first.access));
    const second = await first.renew(first.refresh);
    assert.notEqual(second.refresh, first.refresh);
    assert.ok(await works(first, second.access));
    assert.ok(await works(first, first.access), "a refresh leaves the access token before it alive");
    await assert.rejects(first.renew(first.refresh), REPLAYED);
    for (const token of [first.access, second.access])
      assert.equal(await works(first, token), false, "a replay ends the whole authorization");
    await assert.rejects(first.renew(second.refresh), GONE);

    const third = await library.connect(the, approving);
    await end(third, third.access);
    assert.equal(await works(third, third.access), false);
    const fourth = await third.renew(third.refresh);
    assert.ok(await works(third, fourth.access), "an access token ends alone");
    await end(third, fourth.refresh);
    assert.equal(await works(third, fourth.access), false, "a refresh token ends the authorization");

    const fifth = await library.connect(the, approving);
    assert.ok(await works(fifth, fifth.access));
    await takeAllBack(browser);
    assert.equal(await works(fifth, fifth.access), false);
    await assert.rejects(fifth.renew(fifth.refresh), GONE);
  });

  test(`${library.name}: a refusal, another state and another issuer stop it before the code is used`, async () => {
    const before = (await grants(the)).length;
    await assert.rejects(library.connect(the, deciding(browser, "deny")), saying(/access_denied/));
    await assert.rejects(library.connect(the, tampered("state", "another")), saying(/state/));
    await assert.rejects(library.connect(the, tampered("iss", "https://evil.example")), saying(/iss/i));
    assert.equal((await grants(the)).length, before);
  });
}
