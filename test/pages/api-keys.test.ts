import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { migrate } from "../../src/db/migrate.ts";
import { type Browser, formOf } from "../browser.ts";
import { leadgate } from "../cli/support/leadgate.ts";
import { type World, world } from "../world.ts";

const keysOf = (the: World) => `/projects/${the.project.id}/settings/api-keys`;

/** Sends the form for a new key with these permissions, whatever boxes it has. */
async function create(the: World, browser: Browser, ...permissions: string[]): Promise<Response> {
  const { hidden } = await formOf(await browser.get(keysOf(the)));
  const ticked = permissions.map((permission): [string, string] => ["permission", permission]);
  return await browser.post(keysOf(the), [...Object.entries(hidden), ["name", "My key"], ...ticked]);
}

async function signedInAs(the: World, role: "admin" | "viewer"): Promise<Browser> {
  const person = await the.newPerson(role);
  await the.join(person, the.project.id, role);
  return await the.signedIn(person);
}

test("nobody gives a key a permission that their own role lacks: only an owner, or the operator, gives leads:erase", async () => {
  await using the = await world({ alone: true });
  const [owner, admin] = [await the.signedIn(), await signedInAs(the, "admin")];
  assert.match(await (await owner.get(keysOf(the))).text(), /value="leads:erase"/);
  const offered = await (await admin.get(keysOf(the))).text();
  assert.match(offered, /value="schema:write"/);
  assert.doesNotMatch(offered, /leads:erase/);
  const refused = await create(the, admin, "leads:write", "leads:erase");
  assert.equal(refused.status, 403);
  assert.match(await refused.text(), /Your role in this project does not have leads:erase/);
  assert.deepEqual(await the.sql("SELECT id FROM store.api_key"), []);
  assert.equal((await create(the, admin, "leads:write", "schema:write")).status, 200);
  assert.equal((await create(the, owner, "leads:erase")).status, 200);
  const words = ["key", "create", "--project", the.project.id, "--name", "k", "--permissions", "leads:erase"];
  assert.equal((await leadgate(the, words)).code, 0);
  const made = await the.sql("SELECT permissions FROM store.api_key ORDER BY id");
  assert.deepEqual(
    made.map((key) => (key as { permissions: string[] }).permissions.join()),
    ["leads:write,schema:write", "leads:erase", "leads:erase"],
  );
});

test("the list of keys names the day of a key's last use, and says of the others that they were never used", async () => {
  await using the = await world();
  const used = await the.key(["leads:read"]);
  await the.key(["leads:read"]);
  await the.sql("UPDATE store.api_key SET name = CASE id WHEN $1 THEN 'Used' ELSE 'Idle' END", [used.id]);
  const owner = await the.signedIn();
  const lastUses = async () =>
    [
      ...(await (await owner.get(keysOf(the))).text()).matchAll(
        /<bdi>(\w+)<\/bdi>.*\n.*<td class="day">([^<]+)<\/td>\n/g,
      ),
    ]
      .map(([, name, use]) => `${name} ${use}`)
      .sort();
  assert.deepEqual(await lastUses(), ["Idle never", "Used never"]);
  assert.equal((await used.send("GET", "/api/v1/usage")).status, 200);
  let uses = await lastUses();
  for (let tries = 0; uses[1] === "Used never" && tries < 100; tries += 1, uses = await lastUses())
    await sleep(100);
  assert.equal(uses[0], "Idle never");
  assert.match(uses[1] ?? "", /^Used .*\d{4}/);
});

test("the form for a key starts with the permissions of what the key is for", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  const ticked = async (query: string) => {
    const page = await (await browser.get(keysOf(the) + query)).text();
    return [...page.matchAll(/name="permission" value="([^"]+)" checked/g)].map(([, name]) => name);
  };
  assert.deepEqual(await ticked(""), ["leads:read"]);
  assert.deepEqual(await ticked("?for=form"), ["leads:create"]);
  assert.deepEqual(await ticked("?for=sync"), ["leads:read", "leads:write"]);
  assert.deepEqual(await ticked("?for=constructor"), ["leads:read"]);
  const { hidden } = await formOf(await browser.get(keysOf(the)));
  const fields = { ...hidden, name: "Kiosk", permission: "leads:read", no_export: "yes" };
  assert.match(await (await browser.post(keysOf(the), fields)).text(), /\(no export\)/);
});

test("owners and admins withhold export from viewers on the settings page, and viewers read that there", async () => {
  await using the = await world({ alone: true });
  const settings = `/projects/${the.project.id}/settings`;
  const [owner, viewer] = [await the.signedIn(), await signedInAs(the, "viewer")];
  const { hidden } = await formOf(await owner.get(settings));
  const token = { form_token: hidden.form_token ?? "" };
  assert.match(await (await owner.get(settings)).text(), /name="viewers" value="yes" checked/);
  assert.equal((await owner.post(`${settings}/export`, token)).status, 303);
  assert.match(await (await owner.get(settings)).text(), /name="viewers" value="yes">/);
  assert.match(await (await viewer.get(settings)).text(), /Viewers may not export leads from this project/);
  const { hidden: own } = await formOf(await viewer.get("/"));
  const forged = await viewer.post(`${settings}/export`, {
    form_token: own.form_token ?? "",
    viewers: "yes",
  });
  assert.equal(forged.status, 403);
  assert.deepEqual(await the.sql("SELECT viewers_export FROM store.project"), [{ viewers_export: false }]);
  assert.match(await (await owner.get(`${settings}/log`)).text(), /Viewers may export: <bdi>true → false/);
});

test("keys from before the finer permissions keep what they could do", async () => {
  await using the = await world({ alone: true });
  const admin = await the.newPerson("Adm");
  await the.join(admin, the.project.id, "admin");
  const old = async (createdBy: string | null, permissions: string[]) => {
    const { id } = await the.key(["leads:read"]);
    await the.sql("UPDATE store.api_key SET permissions = $2, created_by = $3 WHERE id = $1", [
      id,
      permissions,
      createdBy,
    ]);
    return id;
  };
  const ids = [
    await old(the.person.id, ["leads:read", "leads:write"]),
    await old(admin.id, ["leads:write"]),
    await old(null, ["leads:write", "datasets:read"]),
    await old(the.person.id, ["leads:read"]),
  ];
  const name = "0030_finer_permissions.sql";
  await the.sql("DELETE FROM leadgate.migration WHERE name = $1", [name]);
  assert.deepEqual(await migrate(the.databaseUrl), [name]);
  const keys = await the.sql<{ id: string; permissions: string[]; export_withheld: boolean }>(
    "SELECT id, permissions, export_withheld FROM store.api_key",
  );
  assert.deepEqual(
    ids.map((id) => keys.find((key) => key.id === id)?.permissions),
    [
      ["leads:read", "leads:write", "schema:write", "leads:erase"],
      ["leads:write", "schema:write"],
      ["leads:write", "datasets:read", "schema:write"],
      ["leads:read"],
    ],
  );
  assert.deepEqual(new Set(keys.map((key) => key.export_withheld)), new Set([false]));
});
