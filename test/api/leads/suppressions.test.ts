import assert from "node:assert/strict";
import { test } from "node:test";
import { collectOptOuts, forgetSuppressions } from "../../../src/domain/upkeep/collect-opt-outs.ts";
import { type KeyActor, world } from "../../world.ts";
import { bodyOf, refusalOf } from "../support/v1.ts";

interface Lead {
  id: string;
  do_not_contact: boolean;
}

const PATH = "/api/v1/leads";
const SUPPRESSIONS = "/api/v1/suppressions";
const WRITER = ["leads:read", "leads:write", "leads:erase"] as const;

const create = async (key: KeyActor, lead: object) =>
  await bodyOf<Lead>(await key.send("POST", PATH, lead), 201);
const stored = async (key: KeyActor, id: string) =>
  await bodyOf<Lead>(await key.send("GET", `${PATH}/${id}`));
const countOf = async (key: KeyActor) =>
  (await bodyOf<{ count: number }>(await key.send("GET", SUPPRESSIONS))).count;
const bulk = (key: KeyActor, body: object) => key.send("POST", `${PATH}/bulk`, body);

/** How an address comes back, by what the lead has then. */
const WAYS: Record<string, (key: KeyActor, address: object) => Promise<{ answer: Response; id: string }>> = {
  "a creation": async (key, address) => {
    const answer = await key.send("POST", PATH, { name: "Ana", ...address });
    return { answer, id: (await bodyOf<Lead>(answer.clone(), 201)).id };
  },
  "an upsert": async (key, address) => {
    const lead = { name: "Ana", external_id: "again", ...address };
    const answer = await key.send("PUT", `${PATH}/upsert`, { lead });
    return { answer, id: (await bodyOf<Lead>(answer.clone(), 201)).id };
  },
  "an upsert of a lead that lacked it": async (key, address) => {
    const { id } = await create(key, { name: "Ana", external_id: "again" });
    const answer = await key.send("PUT", `${PATH}/upsert`, { lead: { external_id: "again", ...address } });
    return { answer, id };
  },
  "a bulk upsert": async (key, address) => {
    const answer = await bulk(key, { op: "upsert", items: [{ external_id: "again", ...address }] });
    const { results } = await bodyOf<{ results: { id: string }[] }>(answer.clone());
    return { answer, id: results[0]?.id ?? "" };
  },
  "a bulk creation of several": async (key, address) => {
    const answer = await bulk(key, { op: "create", items: [{ name: "Bo" }, { name: "Ana", ...address }] });
    const { results } = await bodyOf<{ results: { id: string }[] }>(answer.clone());
    assert.equal((await stored(key, results[0]?.id ?? "")).do_not_contact, false);
    return { answer, id: results[1]?.id ?? "" };
  },
  "a change of a lead": async (key, address) => {
    const { id } = await create(key, { name: "Ana" });
    return { answer: await key.send("PATCH", `${PATH}/${id}`, address), id };
  },
};

const PERSON = {
  email: "Ana@Example.org",
  emails: ["ana@work.example"],
  phone: "+55 11 91234-5678",
  phones: ["+1 202-555-0143"],
};
const ADDRESSES: object[] = [
  { email: "ana@example.org" },
  { emails: ["ANA@work.example"] },
  { phone: "+5511912345678" },
  { phones: ["+1 (202) 555-0143"] },
];

const ENDS: Record<string, (key: KeyActor, id: string) => Promise<unknown>> = {
  deleted: (key, id) => key.send("DELETE", `${PATH}/${id}`),
  erased: (key, id) => key.send("DELETE", `${PATH}/${id}?erase=true`),
};

for (const [end, ends] of Object.entries(ENDS))
  test(`a lead that opted out and is ${end} leaves a person who is not contacted, by each address, however it comes back`, async () => {
    await using the = await world();
    const key = await the.key(WRITER);
    const { id } = await create(key, { name: "Ana", ...PERSON, do_not_contact: true });
    assert.equal(await countOf(key), 4);
    await ends(key, id);
    assert.equal(await countOf(key), 4);
    for (const [i, [name, comes]] of Object.entries(WAYS).entries()) {
      const { answer, id: again } = await comes(key, ADDRESSES[i % ADDRESSES.length] ?? {});
      assert.equal((await stored(key, again)).do_not_contact, true, name);
      const told = `${await answer.text()} ${answer.headers.get("x-leadgate-warning")}`;
      assert.match(told, /opt_out_kept/, name);
      assert.equal((await key.send("DELETE", `${PATH}/${again}?erase=true`)).status, 204);
    }
    const { id: other } = await create(key, { email: "bo@example.org" });
    assert.equal((await stored(key, other)).do_not_contact, false);
  });

test("an opt-out that is set later suppresses all addresses of the lead, and addresses that it gets; clearing it ends that", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  const { id } = await create(key, { name: "Ana", ...PERSON });
  assert.equal(await countOf(key), 0);
  await bodyOf(await key.send("PATCH", `${PATH}/${id}`, { do_not_contact: true }));
  assert.equal(await countOf(key), 4);
  await bodyOf(await key.send("PATCH", `${PATH}/${id}`, { email: "ana@new.example" }));
  assert.equal(await countOf(key), 5, "the former address is still hers");
  await bodyOf(await key.send("PATCH", `${PATH}/${id}`, { do_not_contact: false }));
  assert.equal(await countOf(key), 1);
  const { id: again } = await create(key, { email: "ana@new.example" });
  assert.equal((await stored(key, again)).do_not_contact, false);
});

test("a record of somebody who opted out is not contacted either if its lead had the address before", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  const first = await create(key, { name: "Ana", email: "ana@example.org" });
  const second = await create(key, { external_id: "b", email: "ana@example.org" });
  await bodyOf(await key.send("PATCH", `${PATH}/${first.id}`, { do_not_contact: true }));
  assert.equal((await stored(key, second.id)).do_not_contact, false, "another lead is another decision");
  const lead = { external_id: "b", email: "ana@example.org" };
  const answer = await key.send("PUT", `${PATH}/upsert`, { lead });
  assert.match(answer.headers.get("x-leadgate-warning") ?? "", /opt_out_kept/);
  assert.equal((await stored(key, second.id)).do_not_contact, true);
});

test("what clears an opt-out with clear_opt_out clears what is known of the address, too", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  await bodyOf(await key.send("POST", SUPPRESSIONS, { addresses: ["ana@example.org"] }));
  const lead = { external_id: "ana", email: "ana@example.org", do_not_contact: false };
  const first = await bodyOf<Lead>(
    await key.send("PUT", `${PATH}/upsert`, { lead, clear_opt_out: true }),
    201,
  );
  assert.equal((await stored(key, first.id)).do_not_contact, false);
  assert.equal(await countOf(key), 0);
});

test("a lead that comes back by restoring it is not contacted if its address was suppressed meanwhile", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  const { id } = await create(key, { name: "Ana", email: "ana@example.org" });
  await key.send("DELETE", `${PATH}/${id}`);
  await bodyOf(await key.send("POST", SUPPRESSIONS, { addresses: ["ana@example.org"] }));
  await bodyOf(await key.send("POST", `${PATH}/${id}/restore`));
  assert.equal((await stored(key, id)).do_not_contact, true);
});

test("a person who is erased and must not be contacted again is not, and one who is only erased may be", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  const erase = (body: object) => key.send("POST", "/api/v1/people/erase", body);
  await create(key, { name: "Ana", email: "ana@example.org", phone: "+5511912345678" });
  await create(key, { name: "Bo", email: "bo@example.org" });
  await bodyOf(await erase({ email: "ana@example.org", expected_leads: 1, suppress: true }));
  await bodyOf(await erase({ email: "bo@example.org", expected_leads: 1 }));
  const again = async (lead: object) => (await stored(key, (await create(key, lead)).id)).do_not_contact;
  assert.deepEqual(
    [await again({ phone: "+5511912345678" }), await again({ email: "bo@example.org" })],
    [true, false],
  );
  const { id } = await create(key, { email: "cy@example.org" });
  assert.equal((await refusalOf(await key.send("DELETE", `${PATH}/${id}?suppress=true`))).status, 400);
  assert.equal((await key.send("DELETE", `${PATH}/${id}?erase=true&suppress=true`)).status, 204);
  assert.equal(await again({ email: "cy@example.org" }), true);
});

test("addresses are added from a list, whose leads opt out, and one is removed with a reason, which leaves its lead alone", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  const { id } = await create(key, { name: "Ana", email: "ana@example.org", phones: ["+1 202-555-0143"] });
  const bad = await refusalOf(
    await key.send("POST", SUPPRESSIONS, { addresses: ["ana@example.org", "nobody", "a@b"] }),
  );
  assert.deepEqual([bad.status, bad.paths], [422, ["$.addresses[1]", "$.addresses[2]"]]);
  assert.equal(await countOf(key), 0);
  const addresses = ["ANA@example.org", "+55 11 91234-5678", "ana@example.org"];
  const added = await bodyOf(await key.send("POST", SUPPRESSIONS, { addresses }));
  assert.deepEqual(added, { added: 3, leads: 1 }, "the number of its lead, too");
  assert.deepEqual(await bodyOf(await key.send("POST", SUPPRESSIONS, { addresses })), { added: 0, leads: 0 });
  assert.equal((await stored(key, id)).do_not_contact, true);
  const remove = (body: object) => key.send("POST", `${SUPPRESSIONS}/remove`, body);
  assert.equal((await refusalOf(await remove({ address: "ana@example.org" }))).status, 400);
  const reason = "She asked us to write again.";
  assert.deepEqual(await bodyOf(await remove({ address: "ana@example.org", reason })), { leads: 1 });
  assert.equal((await refusalOf(await remove({ address: "ana@example.org", reason }))).status, 404);
  assert.equal((await stored(key, id)).do_not_contact, true);
});

test("who opts out in one project is not known in another, and what is stored is no address", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  await create(key, { email: "ana@example.org", phone: "+5511912345678", do_not_contact: true });
  const other = await the.newProject(the.person, "Elsewhere");
  const elsewhere = await the.key(WRITER, other.id);
  assert.equal(await countOf(elsewhere), 0);
  await create(elsewhere, { email: "ana@example.org", do_not_contact: true });
  const rows = await the.sql<{ hash: string }>(STORED, [[the.project.id, other.id]]);
  assert.equal(new Set(rows.map(({ hash }) => hash)).size, 3, "each project has a key of its own");
  for (const { hash } of rows) assert.match(hash, /^[\w-]{22}$/);
});

const STORED = "SELECT hash FROM store.suppression WHERE project_id = ANY ($1)";

test("after an upgrade from a release that kept none, and a restore without the secret key, what leads say is collected, deleted ones too; only leads that are gone are lost", async () => {
  await using the = await world({ alone: true });
  const key = await the.key(WRITER);
  const optedOut = (email: string) => create(key, { name: "Ana", email, do_not_contact: true });
  await optedOut("ana@example.org");
  const deleted = await optedOut("bo@example.org");
  const erased = await optedOut("cy@example.org");
  await key.send("DELETE", `${PATH}/${deleted.id}`);
  await key.send("DELETE", `${PATH}/${erased.id}?erase=true`);
  const comesBack = async (email: string) =>
    (await stored(key, (await create(key, { email })).id)).do_not_contact;
  assert.equal(await forgetSuppressions(the.service), 1);
  assert.deepEqual(await bodyOf(await key.send("GET", SUPPRESSIONS)), { count: 2, complete: true });
  assert.deepEqual([await comesBack("bo@example.org"), await comesBack("cy@example.org")], [true, false]);
  // A project of a former release has no key, and its first write with an address makes one.
  await the.sql("DELETE FROM store.suppression");
  await the.sql("UPDATE store.project SET suppression_key = NULL, suppressions_complete = false");
  assert.equal((await bodyOf<{ complete: boolean }>(await key.send("GET", SUPPRESSIONS))).complete, false);
  await collectOptOuts(the.service);
  assert.deepEqual(await bodyOf(await key.send("GET", SUPPRESSIONS)), { count: 2, complete: true });
});
