import assert from "node:assert/strict";
import { test } from "node:test";
import { instance } from "../../instance.ts";
import type { World } from "../../world.ts";
import { Application, bodyOf, post, refusalIn, type Tokens, tokensOf } from "../support/application.ts";
import { age, cluster, signerOf, until, untilLooked, untilSigning } from "../support/instances.ts";

const [OLD, NEW] = ["0".repeat(64), "f".repeat(64)];
const BOTH = `${NEW},${OLD}`;
const PLAIN = "400 invalid_grant: The grant is not valid.";
const REPLAY = "400 invalid_grant: replay detected";
const LATER = "503 temporarily_unavailable: This token cannot be checked right now. Try again.";
const FOREIGN = /does not match this database.*SECRET_KEY=new,previous/;

const at = (there: World, app: Application): Application => new Application(there, app.clientId);
const revoke = (there: World, token: string, clientId?: string): Promise<Response> =>
  post(there, "/api/oauth/revoke", { token, client_id: clientId });
const renewed = async (app: Application, tokens: Tokens): Promise<Tokens> =>
  await tokensOf(await app.refresh(tokens.refresh));

interface LeftBehind extends AsyncDisposable {
  late: World;
  both: World;
  app: Application;
}

/** An instance that knows only the old key, although the other signs with the new one: it was interrupted. */
async function leftBehind(): Promise<LeftBehind> {
  const many = await cluster();
  const late = await many.start(OLD, { slow: true });
  const both = await many.start(BOTH);
  await age(both, OLD);
  await untilSigning(both, NEW);
  const app = await Application.register(both);
  return { late, both, app, [Symbol.asyncDispose]: () => Promise.resolve(many[Symbol.asyncDispose]()) };
}

test("a new key signs once all running instances know it, and until then the old one does", async () => {
  await using many = await cluster();
  const [first, second] = [await many.start(OLD), await many.start(OLD)];
  const app = await Application.register(first);
  const browser = await first.signedIn();
  const projectId = first.project.id;
  const made = await app.tokens(browser);
  assert.equal(await signerOf(first, made, [OLD, NEW]), OLD);

  await many.stop(second);
  const ahead = await many.start(BOTH);
  await untilLooked(ahead, BOTH);
  const there = at(ahead, app);
  const refreshed = await renewed(there, made);
  assert.equal(await signerOf(first, refreshed, [OLD, NEW]), OLD, "the first instance knows only this one");
  const exchanged = await there.tokens(await ahead.signedIn(first.person), { projectId });
  assert.equal(await signerOf(first, exchanged, [OLD, NEW]), OLD);
  const [again, more] = [await renewed(app, refreshed), await renewed(app, exchanged)];

  await many.stop(first);
  const last = await many.start(BOTH);
  await untilSigning(ahead, NEW);
  await untilSigning(last, NEW);
  const [here, beside] = [await renewed(at(last, app), again), await renewed(there, more)];
  assert.deepEqual(
    [await signerOf(last, here, [OLD, NEW]), await signerOf(last, beside, [OLD, NEW])],
    [NEW, NEW],
  );
  const over = await renewed(there, here);
  assert.equal(
    await refusalIn(await at(last, app).refresh(made.refresh)),
    REPLAY,
    "the old key still verifies",
  );
  assert.equal(await there.isActive(over.access), false);
});

test("one instance alone signs with its new key from its start on", async () => {
  await using many = await cluster();
  await many.stop(await many.start(OLD));
  const alone = await many.start(BOTH);
  const app = await Application.register(alone);
  assert.equal(await signerOf(alone, await app.tokens(await alone.signedIn()), [OLD, NEW]), NEW);
});

test("an instance that was killed does not keep the old key in use for ever", async () => {
  await using many = await cluster();
  const former = await many.start(OLD);
  const killed = await instance({ ...former, env: { ...former.env, SECRET_KEY: OLD } }, "worker");
  await killed.end("SIGKILL");
  await age(former, OLD, "-1 hour");
  await many.stop(former);
  const both = await many.start(BOTH);
  await untilLooked(both, BOTH);
  assert.equal(both.service.config.secretKeys[0], OLD, "it may only have been interrupted");
  await age(both, OLD, "2 hours");
  await untilSigning(both, NEW);
});

test("an instance that knows only the old key can start again until the new key signs", async () => {
  await using many = await cluster();
  const [first, second] = [await many.start(OLD), await many.start(OLD)];
  const both = await many.start(BOTH);
  await untilLooked(both, BOTH);
  await many.stop(second);
  const again = await many.start(OLD);
  await untilLooked(both, BOTH);
  assert.equal(both.service.config.secretKeys[0], OLD);
  await assert.rejects(many.start(NEW), FOREIGN, "the new key alone is not in use yet");
  await assert.rejects(many.start("another key ".repeat(4)), FOREIGN);
  await many.stop(first);
  await many.stop(again);
  await untilSigning(both, NEW);
  await assert.rejects(many.start(OLD), FOREIGN);
  await many.stop(await many.start(NEW));
});

test("an instance without the key that an authorization names answers 503, and the token lives on", async () => {
  await using these = await leftBehind();
  const { late, both, app } = these;
  const there = at(late, app);
  const made = await app.tokens(await both.signedIn());
  assert.equal(await signerOf(both, made, [OLD, NEW]), NEW);
  const refused = await there.refresh(made.refresh);
  assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/);
  assert.equal(await refusalIn(refused), LATER);
  assert.equal(await refusalIn(await there.refresh(made.refresh, { scope: "everything" })), LATER);
  assert.equal(await refusalIn(await revoke(late, made.refresh)), LATER);
  assert.equal(await refusalIn(await revoke(late, made.refresh, app.clientId)), LATER);
  assert.equal(await refusalIn(await post(late, "/api/oauth/introspect", { token: made.refresh })), LATER);
  assert.ok(await there.isActive(made.access), "access tokens carry no key");

  const next = await renewed(app, made);
  assert.equal(await refusalIn(await revoke(late, next.refresh)), LATER);
  assert.equal((await revoke(both, next.refresh)).status, 200);
  assert.equal(await app.isActive(next.access), false);
  assert.equal(
    await refusalIn(await there.refresh(next.refresh)),
    PLAIN,
    "what has ended does not come back",
  );
  assert.equal((await revoke(late, next.refresh)).status, 200);
});

test("an instance without the key does not end an authorization for a replay, and one with the key does", async () => {
  await using these = await leftBehind();
  const { late, both, app } = these;
  const made = await app.tokens(await both.signedIn());
  const next = await renewed(app, made);
  assert.equal(await refusalIn(await at(late, app).refresh(made.refresh)), LATER);
  assert.ok(await app.isActive(next.access));
  assert.equal(await refusalIn(await app.refresh(made.refresh)), REPLAY);
  assert.equal(await app.isActive(next.access), false);
});

test("a forged token stays invalid_grant, 200 and inactive, whatever key its authorization names", async () => {
  await using these = await leftBehind();
  const { late, both, app } = these;
  const made = await app.tokens(await both.signedIn());
  const [, project, authorization, , random = ""] = made.refresh.split("_");
  const forged = (id = authorization, generation = 1, secret = random) =>
    ["lgr", project, id, generation, secret, "0".repeat(64)].join("_");
  const everywhere = [forged(undefined, 1, "1".repeat(64)), forged(undefined, 2), forged(project)];
  const here = [forged(), made.refresh.replace(/.$/, (end) => (end === "0" ? "1" : "0"))];
  for (const [there, texts] of [[late, everywhere] as const, [both, [...everywhere, ...here]] as const]) {
    for (const token of texts) {
      assert.equal(await refusalIn(await at(there, app).refresh(token)), PLAIN);
      const stranger = await new Application(there, "app_nobody").refresh(token);
      assert.match(await refusalIn(stranger), /^401 invalid_client/);
      assert.equal((await revoke(there, token)).status, 200);
      assert.deepEqual(await bodyOf(await post(there, "/api/oauth/introspect", { token })), {
        active: false,
      });
    }
  }
  const other = await Application.register(late);
  assert.equal(await refusalIn(await other.refresh(made.refresh)), PLAIN, "another application's token");
  assert.equal((await revoke(late, made.refresh, other.clientId)).status, 200);
  assert.ok(await app.isActive((await renewed(app, made)).access));
});

test("when an instance that lacks the new key comes back, the old one signs again", async () => {
  await using many = await cluster();
  const late = await many.start(OLD, { slow: true });
  const both = await many.start(BOTH);
  await age(both, OLD);
  await untilSigning(both, NEW);
  await age(both, OLD, "-2 hours");
  await untilSigning(both, OLD);
  await many.stop(late);
  await untilSigning(both, NEW);
});

test("a token of a key that was removed too early works again with the key", async () => {
  await using many = await cluster();
  const before = await many.start(OLD);
  const app = await Application.register(before);
  const browser = await before.signedIn();
  const [first, kept] = [await app.tokens(browser), await app.tokens(browser)];
  await many.stop(before);
  const both = await many.start(BOTH);
  const second = await renewed(at(both, app), first);
  await many.stop(both);

  const without = await many.start(NEW);
  const there = at(without, app);
  assert.equal(await refusalIn(await there.refresh(kept.refresh)), LATER);
  assert.equal(await refusalIn(await revoke(without, kept.refresh)), LATER);
  assert.equal(
    await refusalIn(await there.refresh(first.refresh)),
    PLAIN,
    "its authorization names the new key",
  );
  const third = await renewed(there, second);
  await many.stop(without);

  const back = await many.start(BOTH);
  assert.ok(await at(back, app).isActive((await renewed(at(back, app), kept)).access));
  assert.equal(await refusalIn(await at(back, app).refresh(first.refresh)), REPLAY);
  assert.equal(await at(back, app).isActive(third.access), false);
});

test("a database whose authorizations name no key goes on as before", async () => {
  await using many = await cluster();
  const before = await many.start(OLD);
  const app = await Application.register(before);
  const browser = await before.signedIn();
  const [first, second] = [await app.tokens(browser), await app.tokens(browser)];
  await before.sql(`UPDATE store."authorization" SET signed_by = NULL`);
  await many.stop(before);
  await assert.rejects(many.start(NEW), FOREIGN);
  await many.stop(await many.start(OLD));
  const both = await many.start(BOTH);
  const next = await renewed(at(both, app), first);
  assert.equal(await signerOf(both, next, [OLD, NEW]), NEW);
  await many.stop(both);
  const without = await many.start(NEW);
  assert.equal(
    await refusalIn(await at(without, app).refresh(second.refresh)),
    PLAIN,
    "nothing names its key",
  );
  assert.ok(await at(without, app).isActive((await renewed(at(without, app), next)).access));
});

test("an instance that stops, or cannot start, leaves no row behind, and rows of killed ones are swept", async () => {
  await using many = await cluster();
  const first = await many.start(OLD);
  const rows = async () => (await first.sql("SELECT FROM instance")).length;
  const second = await many.start(OLD);
  assert.equal(await rows(), 2);
  await many.stop(second);
  assert.equal(await rows(), 1);
  const taken = { AUTH_PORT: new URL(first.authUrl).port };
  await assert.rejects(many.start(OLD, { env: taken }), /is in use/);
  await until(async () => (await rows()) === 1);
});

test("an instance that cannot renew its row logs that once, and goes on when the database is back", async (t) => {
  await using many = await cluster();
  const alone = await many.start(OLD);
  const { db, log } = alone.service;
  let [failed, logged] = [0, 0];
  t.mock.method(log, "warn", () => {
    logged += 1;
  });
  const away = t.mock.method(db, "query", async () => {
    failed += 1;
    throw new Error("the database is away");
  });
  await until(() => failed >= 3);
  assert.equal(logged, 1);
  away.mock.restore();
  await untilLooked(alone, OLD);
});
