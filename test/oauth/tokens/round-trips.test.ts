import assert from "node:assert/strict";
import { test } from "node:test";
import { roundTrips } from "../../round-trip-count.ts";
import { world } from "../../world.ts";
import { Application, exchange, post, register, tokensOf } from "../support/application.ts";

test("what applications ask often costs one round trip: registration, exchange, refresh, introspection", async () => {
  await using the = await world();
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const tokens = await app.tokens(browser);
  const granted = await app.code(browser);
  const during = roundTrips(the);
  const metadata = { redirect_uris: ["https://app.example/cb"] };
  assert.deepEqual(await during(() => register(the, metadata)), [201, 1]);
  assert.deepEqual(await during(() => register(the, { redirect_uris: [] })), [400, 1]);
  assert.deepEqual(await during(() => exchange(the, granted)), [200, 1]);
  for (const token of [tokens.access, tokens.refresh]) {
    assert.deepEqual(await during(() => post(the, "/api/oauth/introspect", { token })), [200, 1]);
  }
  let newest = tokens.refresh;
  const refresh = async () => {
    const answer = await app.refresh(newest);
    newest = (await tokensOf(answer.clone())).refresh;
    return answer;
  };
  for (let turn = 0; turn < 3; turn += 1) assert.deepEqual(await during(refresh), [200, 1]);
});
