import assert from "node:assert/strict";
import { test } from "node:test";
import { contents } from "../contents.ts";
import { world } from "../world.ts";
import { everything } from "./support/credentials.ts";
import { slots } from "./support/slots.ts";

test("no credential is accepted in place of another kind, no look-alike anywhere, and trying changes nothing", async () => {
  await using the = await world();
  const all = await everything(the);
  const places = slots(the, all);
  const before = await contents(the);
  let tried = 0;
  for (const [place, slot] of places) {
    for (const [kind, text] of all.credentials) {
      if (slot.takes.includes(kind)) continue;
      const answer = await slot.put(text);
      assert.ok(await slot.says(answer), `${kind} at ${place} got ${answer.status}`);
      tried += 1;
    }
  }
  assert.deepEqual(await contents(the), before);
  const rightful = [...places.values()].reduce((sum, { takes }) => sum + takes.length, 0);
  assert.equal(tried, places.size * all.credentials.size - rightful);
  for (const [place, kind] of [
    ["code", "code"],
    ["/mcp", "access token"],
    ["the API", "API key"],
    ["introspection", "refresh token"],
    ["the session cookie", "session"],
    ["the reset address", "reset link"],
    ["the invitation address", "invitation"],
    ["refresh_token", "refresh token"],
  ] as const) {
    const answer = await places.get(place)?.put(all.credentials.get(kind) ?? "");
    assert.equal(answer?.status, 200, `${kind} at ${place} still works`);
  }
});
