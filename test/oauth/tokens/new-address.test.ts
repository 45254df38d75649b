import assert from "node:assert/strict";
import { test } from "node:test";
import { type Entry, entriesOf } from "../../accounts/support/log-entries.ts";
import { type World, world } from "../../world.ts";
import { Application, exchange, type Granted, type Tokens, tokensOf } from "../support/application.ts";
import { setAhead } from "../support/clock.ts";

const proxied = () => world({ env: { TRUSTED_PROXIES: "127.0.0.1,::1" } });

/** Exchanges a code, then refreshes from wherever it is told. */
class Wanderer {
  readonly #the: World;
  readonly #granted: Granted;
  #refresh = "";

  constructor(the: World, granted: Granted) {
    this.#the = the;
    this.#granted = granted;
  }

  async exchange(address: string): Promise<this> {
    const { code, verifier, redirectUri } = this.#granted;
    return await this.#ask(address, {
      ...{ grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier },
    });
  }

  async refresh(address: string): Promise<this> {
    return await this.#ask(address, { grant_type: "refresh_token", refresh_token: this.#refresh });
  }

  async #ask(address: string, fields: Record<string, string>): Promise<this> {
    const answer = await fetch(`${this.#the.authUrl}/api/oauth/token`, {
      method: "POST",
      headers: { "X-Forwarded-For": address },
      body: new URLSearchParams({ ...fields, client_id: this.#granted.clientId }),
    });
    this.#refresh = (await tokensOf(answer)).refresh;
    return this;
  }
}

const addresses = (entries: Entry[]): string[] => entries.map(({ address }) => address).reverse();

test("a refresh from a new address is an entry for the person and the project's owners, the next one from there is none", async () => {
  await using the = await proxied();
  const app = await Application.register(the, { client_name: "Night train" });
  const member = await the.newPerson("Bo");
  await the.join(member, the.project.id, "editor");
  const browser = await the.signedIn(member);
  const wanderer = await new Wanderer(the, await app.code(browser)).exchange("198.51.100.1");
  for (const address of ["198.51.100.1", "203.0.113.7", "203.0.113.7", "198.51.100.1", "::ffff:203.0.113.7"])
    await wanderer.refresh(address);
  const [authorization] = await the.sql<{ id: string }>(`SELECT id FROM store."authorization"`);
  const owner = await the.signedIn();
  for (const [reader, path] of [
    [browser, "/account/log"],
    [owner, `/projects/${the.project.id}/settings/log`],
  ] as const) {
    const entries = await entriesOf(reader, path, "refresh.new_address");
    assert.equal(entries.length, 1);
    const [{ address, actor, person_id, project_id, request_id, data } = assert.fail()] = entries;
    assert.deepEqual(data, { authorization_id: authorization?.id, client_name: "Night train" });
    assert.deepEqual(
      [address, actor, person_id, project_id],
      ["203.0.113.7", app.clientId, member.id, the.project.id],
    );
    assert.ok(request_id);
    assert.match(
      await (await reader.get(path)).text(),
      /An application renewed its access from a new address/,
    );
    const portuguese = await (await reader.get(path, { "Accept-Language": "pt-BR" })).text();
    assert.match(portuguese, /Um aplicativo renovou seu acesso a partir de um novo endereço/);
  }
});

test("neighbours in one IPv6 /64 are one address, those of another are new", async () => {
  await using the = await proxied();
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const wanderer = await new Wanderer(the, await app.code(browser)).exchange("2001:db8:1:2::1");
  for (const address of ["2001:db8:1:2:ffff::9", "2001:db8:1:3::1", "2001:db8:1:3::2"])
    await wanderer.refresh(address);
  const entries = await entriesOf(browser, "/account/log", "refresh.new_address");
  assert.deepEqual(addresses(entries), ["2001:db8:1:3::1"]);
});

test("an assistant with many addresses has a few entries a day, the rest of them is counted, and 20 are remembered", async () => {
  await using the = await proxied();
  const untilNoon = 36 * 3_600 - ((Date.now() / 1_000) % 86_400);
  await setAhead(the, `${untilNoon} seconds`);
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const wanderer = await new Wanderer(the, await app.code(browser)).exchange("198.51.100.1");
  for (let last = 2; last <= 30; last += 1) await wanderer.refresh(`198.51.100.${last}`);
  const told = async (reader = browser) => await entriesOf(reader, "/account/log", "refresh.new_address");
  const own = ["198.51.100.2", "198.51.100.3", "198.51.100.4", "198.51.100.5"];
  assert.deepEqual(addresses(await told()), [...own, "198.51.100.6"]);
  const [shared] = await told();
  assert.deepEqual([shared?.repeated, shared?.repeated_from], [24, "198.51.100.30"]);
  const [row] = await the.sql<{ origins: string[] }>(`SELECT origins FROM store."authorization"`);
  assert.deepEqual(
    row?.origins,
    Array.from({ length: 20 }, (_, index) => `198.51.100.${index + 11}`),
  );
  await wanderer.refresh("198.51.100.11");
  assert.equal((await told())[0]?.repeated, 24, "the oldest of the 20 is still known");
  await setAhead(the, `${untilNoon + 86_400 + 60} seconds`);
  await wanderer.refresh("203.0.113.1");
  const [newest] = await told(await the.signedIn());
  assert.deepEqual([newest?.address, newest?.repeated], ["203.0.113.1", 0], "the next day starts anew");
});

test("an authorization from before addresses were remembered is not told of where it always was", async () => {
  await using the = await proxied();
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const tokens: Tokens = await tokensOf(await exchange(the, await app.code(browser)));
  await the.sql(`UPDATE store."authorization" SET origins = DEFAULT, origins_at = DEFAULT`);
  const next = await tokensOf(await app.refresh(tokens.refresh));
  await app.refresh(next.refresh);
  assert.deepEqual(await entriesOf(browser, "/account/log", "refresh.new_address"), []);
});
