import assert from "node:assert/strict";
import { large } from "../large.ts";
import { Application, tokensOf } from "../oauth/support/application.ts";
import { world } from "../world.ts";
import { ON_CLUSTER } from "./pool.ts";

/** PostgreSQL tries a plan for all values from the sixth time on, which a cluster cannot make of most statements. */
const OFTEN = 12;

large("what is prepared works the twelfth time as the first", ON_CLUSTER, async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  const ids: string[] = [];
  for (let n = 0; n < OFTEN; n += 1) {
    const made = await key.send("POST", "/api/v1/leads", { name: `Lead ${n}`, external_id: `x${n}` });
    assert.equal(made.status, 201);
    ids.push(((await made.json()) as { id: string }).id);
  }
  const lead = `/api/v1/leads/${ids[0]}`;
  for (let n = 0; n < OFTEN; n += 1) {
    const asked: [string, string, object?][] = [
      ["PATCH", lead, { score: n }],
      ["PUT", "/api/v1/leads/upsert", { match_on: ["external_id"], lead: { external_id: "x1", score: n } }],
      ["POST", `${lead}/events`, { type: "call.made" }],
      ["GET", lead],
      ["GET", `${lead}/events`],
      ["GET", "/api/v1/events"],
      ["POST", "/api/v1/leads/search", { filter: { field: "score", op: "gte", value: n } }],
      ["POST", "/api/v1/leads/search", { search: `lead ${n}`, total: "exact" }],
      ["POST", "/api/v1/leads/count", { filter: { event: { type: "call.made" } } }],
    ];
    for (const [method, path, body] of asked) {
      const { status } = await key.send(method, path, body);
      assert.ok(status === 200 || status === 201, `${method} ${path}, the ${n + 1}th time: ${status}`);
    }
  }
});

large("a token is refreshed the twelfth time as the first", ON_CLUSTER, async () => {
  await using the = await world();
  const app = await Application.register(the);
  let tokens = await app.tokens(await the.signedIn());
  for (let n = 0; n < OFTEN; n += 1) tokens = await tokensOf(await app.refresh(tokens.refresh));
  assert.ok(await app.isActive(tokens.access));
});
