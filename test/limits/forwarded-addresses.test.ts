import assert from "node:assert/strict";
import { test } from "node:test";
import { formOf } from "../browser.ts";
import { register } from "../oauth/support/application.ts";
import { type World, world } from "../world.ts";

const METADATA = { redirect_uris: ["https://app.example/cb"], client_name: "Forwarded" };
const from = (list: string) => ({ "X-Forwarded-For": list });
/** One registration an hour for each address, behind a proxy on this machine. */
const behindProxy = (TRUSTED_PROXIES = "127.0.0.1,::1"): Promise<World> =>
  world({ env: { LIMITS: '{"registration":{"perHour":1}}', TRUSTED_PROXIES } });

/** The statuses of registrations that came through these lists, one after another. */
async function statuses(the: World, lists: readonly string[]): Promise<number[]> {
  const found: number[] = [];
  for (const list of lists) found.push((await register(the, METADATA, from(list))).status);
  return found;
}

test("two clients behind a proxy that adds their ports do not share a limit, and one client keeps its own", async () => {
  await using the = await behindProxy();
  for (const [first, again, other] of [
    ["192.0.2.1:1001", "192.0.2.1:1002", "192.0.2.2:1001"],
    ["[2001:db8:0:1::1]:443", "[2001:db8:0:1::1]", "[2001:db8:0:2::1]:443"],
    ['"[2001:db8:0:3::1]:443"', "2001:db8:0:3::1", '"[2001:db8:0:4::1]:443"'],
    ["::ffff:198.51.100.1", "198.51.100.1:80", "[::ffff:198.51.100.2]:80"],
    ["fe80::1%eth0", "[fe80::1]:80", "fe80:0:0:1::1%eth0"],
  ] as const) {
    assert.deepEqual(await statuses(the, [first, again, other]), [201, 429, 201], first);
  }
});

test("proxies of a chain are recognized with their ports, and what a client wrote before them is not believed", async () => {
  await using the = await behindProxy("127.0.0.1,::1,10.0.0.0/8,fd00::/8");
  const chain = "10.0.0.2:5678, [fd00::2]:443";
  assert.deepEqual(await statuses(the, [`192.0.2.1:1, ${chain}`, `192.0.2.2:1, ${chain}`]), [201, 201]);
  assert.deepEqual(
    await statuses(the, [
      `198.51.100.1, 192.0.2.1:2, ${chain}`,
      `10.0.0.9:1, 192.0.2.1:3, ${chain}`,
      `", 192.0.2.1:4, ${chain}`,
      `unknown, <x>, , 192.0.2.1:5, ${chain}`,
    ]),
    [429, 429, 429, 429],
  );
});

test("an entry of the proxy that is not an address counts as one unknown client, never as the client's own claim", async () => {
  await using the = await behindProxy();
  assert.deepEqual(
    await statuses(the, ["192.0.2.1, unknown", "192.0.2.2, _hidden", "192.0.2.3:1, 010.0.0.1", "192.0.2.4"]),
    [201, 429, 429, 201],
  );
});

test("the API host reads the list in the same way", async () => {
  await using the = await world({
    env: { LIMITS: '{"api":{"perHour":1,"burst":1}}', TRUSTED_PROXIES: "127.0.0.1,::1" },
  });
  const guess = async (list: string) =>
    (await fetch(`${the.baseUrl}/api/v1/members`, { headers: { ...from(list), Authorization: "Bearer x" } }))
      .status;
  assert.deepEqual(
    [await guess("192.0.2.1:1"), await guess("192.0.2.2:1"), await guess("192.0.2.1:2")],
    [401, 401, 429],
  );
});

test("without trusted proxies the list changes nothing", async () => {
  await using the = await world({ env: { LIMITS: '{"registration":{"perHour":1}}' } });
  assert.deepEqual(await statuses(the, ["192.0.2.1:1", "192.0.2.2:1"]), [201, 429]);
});

test("the audit log, sessions and limits keep the plain address", async () => {
  await using the = await behindProxy();
  assert.equal((await register(the, METADATA, from("[2001:db8::7]:443"))).status, 201);
  assert.equal((await register(the, METADATA, from("192.0.2.7:1001"))).status, 201);
  const browser = the.browser();
  const { email, password } = the.person;
  const { hidden } = await formOf(await browser.get("/sign-in"));
  await browser.post("/sign-in", { ...hidden, email, password }, from("192.0.2.8:2002"));
  const addresses = async (table: string) =>
    (await the.sql<{ address: string }>(`SELECT DISTINCT address FROM ${table} ORDER BY address`)).map(
      ({ address }) => address,
    );
  assert.deepEqual(await addresses("registration_calls"), ["192.0.2.7", "2001:db8::/64"]);
  assert.deepEqual(await addresses("session"), ["192.0.2.8"]);
  assert.deepEqual(await addresses("audit WHERE address IS NOT NULL"), [
    "192.0.2.7",
    "192.0.2.8",
    "2001:db8::7",
  ]);
});

test("a list that fills the headers is read, and the last entry counts", async () => {
  await using the = await behindProxy();
  const long = (last: string) => `${"10.1.1.1:1,".repeat(1_200)} ${last}`;
  assert.deepEqual(
    await statuses(the, [long("192.0.2.1:1"), long("192.0.2.2:1"), long("192.0.2.1:2")]),
    [201, 201, 429],
  );
});
