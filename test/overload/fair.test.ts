import assert from "node:assert/strict";
import { test } from "node:test";
import { makeKey } from "../../src/domain/api-keys/api-key.ts";
import { Assistant } from "../mcp/support/assistant.ts";
import { world } from "../world.ts";
import { acceptedKey, admission, stuck, until } from "./support/full.ts";

test("while one project floods, another is served", async () => {
  await using the = await world({ env: admission({ perOwner: 1 }) });
  const other = await the.newProject(await the.newPerson());
  const [flooding, calm] = [await acceptedKey(the), await acceptedKey(the, other.id)];
  await using held = await stuck(the);
  const flood = held.send(flooding, 3);
  await until(the, 1, 2);
  for (let i = 0; i < 5; i += 1) {
    assert.equal((await flooding.send("GET", "/api/v1/statuses")).status, 429);
    assert.equal((await calm.send("GET", "/api/v1/statuses")).status, 200);
  }
  assert.equal((await fetch(`${the.authUrl}/sign-in`)).status, 200);
  await held.release();
  assert.deepEqual(
    (await Promise.all(flood)).map(({ status }) => status),
    [200, 200, 200],
  );
});

test("keys of one project share its places, and a made-up key takes none of them", async () => {
  await using the = await world({ env: admission({ perOwner: 1 }) });
  const other = await the.newProject(await the.newPerson());
  const [key, second, foreign] = [await acceptedKey(the), await the.key(), await acceptedKey(the, other.id)];
  assert.equal((await second.send("GET", "/api/v1/statuses")).status, 200);
  const forged = makeKey(the.project.id, key.id).text;
  const asForger = () =>
    fetch(`${the.baseUrl}/api/v1/statuses`, { headers: { Authorization: `Bearer ${forged}` } });
  assert.equal((await asForger()).status, 401);
  await using held = await stuck(the);
  const inFlight = [...held.send(key, 1), ...held.send(foreign, 1)];
  await until(the, 2, 0);
  // The forger's calls wait for its address, beyond two they are refused.
  const forgeries = [asForger(), asForger()];
  await until(the, 2, 2);
  assert.equal((await asForger()).status, 503);
  const own = [key.send("GET", "/api/v1/statuses"), second.send("GET", "/api/v1/statuses")];
  await until(the, 2, 4);
  assert.equal((await key.send("GET", "/api/v1/statuses")).status, 429);
  await held.release();
  assert.deepEqual(
    (await Promise.all([...inFlight, ...own])).map(({ status }) => status),
    [200, 200, 200, 200],
  );
  assert.deepEqual(
    (await Promise.all(forgeries)).map(({ status }) => status),
    [401, 401],
  );
});

test("a key that was revoked no longer counts for its project", async () => {
  await using the = await world({ env: admission({ perOwner: 1 }) });
  const [key, revoked] = [await acceptedKey(the), await the.key()];
  assert.equal((await revoked.send("GET", "/api/v1/statuses")).status, 200);
  await the.sql("UPDATE store.api_key SET revoked_at = now() WHERE id = $1", [revoked.id]);
  assert.equal((await revoked.send("GET", "/api/v1/statuses")).status, 401);
  await using held = await stuck(the);
  const flood = held.send(key, 3);
  await until(the, 1, 2);
  assert.equal((await revoked.send("GET", "/api/v1/statuses")).status, 401);
  await held.release();
  await Promise.all(flood);
});

test("a token that was revoked no longer counts for its project, nor a revoked key whose body is unreadable", async () => {
  await using the = await world({ env: admission({ perOwner: 1 }) });
  const [key, revoked] = [await acceptedKey(the), await the.key()];
  const assistant = await Assistant.authorized(the);
  const ping = async () => (await assistant.askEarlier("ping")).status;
  const unreadable = async () => (await revoked.send("POST", "/api/v1/leads/search", "{no")).status;
  assert.equal(await ping(), 200);
  assert.equal((await revoked.send("GET", "/api/v1/statuses")).status, 200);
  await the.sql("UPDATE store.api_key SET revoked_at = now() WHERE id = $1", [revoked.id]);
  await the.sql('UPDATE store."authorization" SET revoked_at = now()');
  assert.deepEqual([await ping(), await unreadable()], [401, 401]);
  await using held = await stuck(the);
  const flood = held.send(key, 3);
  await until(the, 1, 2);
  assert.deepEqual([await ping(), await unreadable()], [401, 401]);
  await held.release();
  await Promise.all(flood);
});

test("people count for themselves, apart from the keys of their project", async () => {
  await using the = await world({ env: admission({ perOwner: 1 }) });
  const key = await acceptedKey(the);
  const browser = await the.signedIn();
  await using held = await stuck(the);
  const flood = held.send(key, 3);
  await until(the, 1, 2);
  assert.equal((await browser.get("/account")).status, 200);
  await held.release();
  await Promise.all(flood);
});
