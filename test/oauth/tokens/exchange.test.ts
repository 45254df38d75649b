import assert from "node:assert/strict";
import { test } from "node:test";
import { world } from "../../world.ts";
import { Application, exchange, post, refusalIn, tokensOf } from "../support/application.ts";
import { setAhead } from "../support/clock.ts";

const PLAIN = "400 invalid_grant: The grant is not valid.";

test("every reason of invalid_grant is reported exactly, in order, and only a success uses up the code", async () => {
  await using the = await world({ alone: true });
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const granted = await app.code(browser);
  const attempt = async (more: Record<string, string>) => await refusalIn(await exchange(the, granted, more));
  assert.equal(await attempt({ code_verifier: "wrong" }), "400 invalid_grant: PKCE verification failed");
  const slash = { redirect_uri: `${granted.redirectUri}/` };
  assert.equal(await attempt(slash), "400 invalid_grant: redirect_uri mismatch");
  assert.equal(await attempt({ ...slash, code_verifier: "w" }), "400 invalid_grant: redirect_uri mismatch");
  const tokens = await tokensOf(await exchange(the, granted));
  assert.equal(await attempt({}), "400 invalid_grant: code already used");
  assert.equal(await attempt({ code_verifier: "wrong" }), "400 invalid_grant: code already used");
  assert.ok(await app.isActive(tokens.access), "a reused code leaves its tokens alone");
  const reuses = await the.sql("SELECT repeated FROM audit WHERE action = 'code.reused'");
  assert.deepEqual(reuses, [{ repeated: 1 }]);
});

test("a code ends after its lifetime, by the database's clock", async () => {
  await using the = await world({ env: { LIFETIMES: JSON.stringify({ code: 1 }) } });
  const app = await Application.register(the);
  const granted = await app.code(await the.signedIn());
  await setAhead(the, "1 second");
  assert.equal(await refusalIn(await exchange(the, granted)), "400 invalid_grant: code expired");
});

test("a code reveals nothing to another application, and an unknown code gets no reason", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  const [mine, other] = [await Application.register(the), await Application.register(the)];
  const granted = await mine.code(browser);
  assert.equal(await refusalIn(await exchange(the, { ...granted, clientId: other.clientId })), PLAIN);
  const tokens = await tokensOf(await exchange(the, granted));
  for (const code of ["x", granted.code.slice(0, -1), tokens.access, tokens.refresh, `${granted.code}\n`]) {
    assert.equal(await refusalIn(await exchange(the, { ...granted, code })), PLAIN);
  }
  const unknown = await exchange(the, { ...granted, clientId: "app_00000000000000000000000000" });
  assert.match(await refusalIn(unknown), /^401 invalid_client/);
});

test("of 50 parallel exchanges of one code exactly one wins", async () => {
  await using the = await world();
  const app = await Application.register(the);
  const browser = await the.signedIn();
  for (let round = 0; round < 3; round += 1) {
    const granted = await app.code(browser);
    const answers = await Promise.all(Array.from({ length: 50 }, () => exchange(the, granted)));
    const won = answers.filter((answer) => answer.status === 200);
    assert.equal(won.length, 1);
    for (const lost of answers.filter((answer) => answer.status !== 200)) {
      assert.equal(await refusalIn(lost), "400 invalid_grant: code already used");
    }
  }
});

test("of the 16 combinations of code, client, redirect and verifier of two flows only a flow's own passes", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  const metadata = [{}, { redirect_uris: ["https://other.example/cb"] }];
  const apps = await Promise.all(metadata.map((each) => Application.register(the, each)));
  for (let mask = 0; mask < 16; mask += 1) {
    const [a, b] = await Promise.all(apps.map((app) => app.code(browser)));
    assert.ok(a !== undefined && b !== undefined);
    const from = (bit: number) => ((mask >> bit) & 1 ? b : a);
    const mixed = {
      code: from(0).code,
      clientId: from(1).clientId,
      redirectUri: from(2).redirectUri,
      verifier: from(3).verifier,
    };
    const answer = await exchange(the, mixed);
    assert.equal(answer.status, mask === 0 || mask === 15 ? 200 : 400, `combination ${mask}`);
  }
});

test("a bad request is invalid_request before the code is touched", async () => {
  await using the = await world();
  const app = await Application.register(the);
  const granted = await app.code(await the.signedIn());
  const url = `${the.authUrl}/api/oauth/token`;
  const json = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(granted),
  };
  assert.match(await refusalIn(await fetch(url, json)), /^400 invalid_request/);
  for (const name of ["grant_type", "code", "client_id", "redirect_uri", "code_verifier"]) {
    for (const value of [undefined, ""]) {
      assert.match(
        await refusalIn(await exchange(the, granted, { [name]: value })),
        /^400 invalid_request/,
        name,
      );
    }
  }
  const form = { "Content-Type": "application/x-www-form-urlencoded" };
  const raw = (body: string, headers = {}) =>
    fetch(url, { method: "POST", headers: { ...form, ...headers }, body });
  const fields = `grant_type=authorization_code&code=${granted.code}&redirect_uri=${encodeURIComponent(granted.redirectUri)}&code_verifier=${granted.verifier}`;
  const basic = { Authorization: `Basic ${btoa(`${granted.clientId}:`)}` };
  const whole = `${fields}&client_id=${granted.clientId}`;
  for (const body of [fields, `${whole}&code=${granted.code}`, `${whole}&state=%zz`, `${whole}&x=%00`]) {
    assert.match(await refusalIn(await raw(body, basic)), /^400 invalid_request/);
  }
  const password = await exchange(the, granted, { grant_type: "password" });
  assert.match(await refusalIn(password), /^400 unsupported_grant_type/);
  const foreign = await exchange(the, granted, { resource: "https://elsewhere.example" });
  assert.match(await refusalIn(foreign), /^400 invalid_target/);
  const charset = { "Content-Type": "application/x-www-form-urlencoded; charset=UTF-8" };
  assert.equal((await raw(whole, charset)).status, 200);
});

test("GET is 405 with Allow: POST, and a preflight allows any page to call", async () => {
  await using the = await world();
  for (const path of ["register", "token", "revoke", "introspect"]) {
    const url = `${the.authUrl}/api/oauth/${path}`;
    const got = await fetch(url);
    assert.equal(got.status, 405);
    assert.equal(got.headers.get("allow"), "POST");
    const preflight = await fetch(url, { method: "OPTIONS", headers: { Origin: "https://page.example" } });
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers.get("access-control-allow-origin"), "*");
    assert.match(preflight.headers.get("access-control-allow-headers") ?? "", /authorization, content-type/);
    assert.equal(preflight.headers.get("access-control-max-age"), "86400");
    const large = await post(the, `/api/oauth/${path}`, { token: "x".repeat(100_000) });
    assert.equal(large.status, 413);
    assert.equal(large.headers.get("access-control-allow-origin"), "*");
  }
});
