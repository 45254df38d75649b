import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf } from "../api/support/v1.ts";
import type { KeyActor } from "../world.ts";
import { fieldOf, type Told } from "./support/check.ts";
import { entrance, heldIn, type Item, warningsOf } from "./support/ways.ts";

let pairs = 0;

interface Pair {
  a: string;
  b: string;
  of: Readonly<Record<"emailA" | "emailB" | "further" | "phoneA" | "phoneB" | "none", string>>;
}

/** Makes A (e-mail, phone) and B (e-mail, further e-mail, phone). */
async function pair(key: KeyActor): Promise<Pair> {
  pairs += 1;
  const email = (letter: string) => `${letter}@held-${pairs}.example.org`;
  const phone = (digit: number) => `+55119${40_000_000 + pairs * 10 + digit}`;
  const of = {
    ...{ emailA: email("a"), emailB: email("b"), further: email("f"), none: email("none") },
    ...{ phoneA: phone(1), phoneB: phone(2) },
  };
  const make = async (lead: object) =>
    (await bodyOf<{ id: string }>(await key.send("POST", "/api/v1/leads", lead), 201)).id;
  const a = await make({ email: of.emailA, phone: of.phoneA });
  const b = await make({ email: of.emailB, emails: [of.further], phone: of.phoneB });
  return { a, b, of };
}

/** Asserts that the warnings say of these fields that the lead holds their values. */
function holds(warnings: readonly Told[] | undefined, holder: string, ...fields: string[]): void {
  const told = (warnings ?? []).map(({ path, code, message }) => {
    assert.ok(message.includes(holder), `${message} does not name ${holder}`);
    return `${code} ${fieldOf(path)}`;
  });
  assert.deepEqual(told.sort(), fields.map((field) => `held ${field}`).sort());
}

test("a change that gives a lead another lead's address is made, and warns of its holder", async () => {
  const { key } = await entrance();
  const { a, b, of } = await pair(key);
  const patch = async (fields: object) => {
    const answer = await key.send("PATCH", `/api/v1/leads/${a}`, fields);
    await bodyOf(answer);
    return warningsOf(answer);
  };
  holds(await patch({ phone: of.phoneB }), b, "phone");
  holds(await patch({ email: of.further.toUpperCase() }), b, "email");
  holds(await patch({ email: of.emailB, name: "Ana" }), b, "email");
  holds(await patch({ email: of.emailA, emails: [of.none, of.emailB] }), b, "emails");
  holds(await patch({ phones: [of.phoneA] }), b);
  const lead = await bodyOf<Record<string, unknown>>(await key.send("GET", `/api/v1/leads/${a}`));
  assert.deepEqual(
    [lead.email, lead.emails, lead.phone, lead.phones],
    [of.emailA, [of.none, of.emailB], of.phoneB, [of.phoneA]],
  );
});

test("a change of other fields, of own addresses or to those of deleted leads warns of nothing", async () => {
  const { key } = await entrance();
  const { a, b, of } = await pair(key);
  const answers = [
    await key.send("PATCH", `/api/v1/leads/${a}`, { name: "Ana" }),
    await key.send("PATCH", `/api/v1/leads/${a}`, { email: of.emailA, phone: of.phoneA }),
    await key.send("PATCH", `/api/v1/leads/${a}`, { emails: [of.none] }),
  ];
  assert.equal((await key.send("DELETE", `/api/v1/leads/${b}`)).status, 204);
  answers.push(await key.send("PATCH", `/api/v1/leads/${a}`, { phone: of.phoneB, emails: [of.emailB] }));
  for (const answer of answers) {
    assert.equal(answer.status, 200);
    assert.deepEqual(warningsOf(answer), []);
  }
});

test("each item of a bulk change has its own warnings, or an empty list", async () => {
  const { key } = await entrance();
  const { a, b, of } = await pair(key);
  const bulk = async (body: object) => {
    const answer = await key.send("POST", "/api/v1/leads/bulk", body);
    return (await bodyOf<{ results: Item[] }>(answer)).results.map(({ warnings }) => warnings);
  };
  const [moved, named] = await bulk({
    op: "update",
    items: [
      { id: a, phone: of.phoneB },
      { id: b, name: "Bia" },
    ],
  });
  holds(moved, b, "phone");
  assert.equal(moved?.[0]?.path, "$.items[0].phone");
  assert.deepEqual(named, []);
  const [made, plain] = await bulk({ op: "create", items: [{ email: of.emailB }, { email: of.none }] });
  holds(made, b, "email");
  assert.deepEqual(plain, []);
  const [set] = await bulk({ op: "set", set: { emails: [of.emailA] }, items: [{ id: b }] });
  holds(set, a, "emails");
});

test("write_leads warns of the holder of an address, by the path of its lead", async () => {
  const { key, caller } = await entrance();
  const { a, b, of } = await pair(key);
  const leads = [
    { id: b, name: "Bia" },
    { id: a, phone: of.phoneB },
  ];
  const warnings = heldIn(await caller.call("write_leads", { action: "update", leads }));
  holds(warnings, b, "phone");
  assert.equal(warnings[0]?.path, "$.leads[1].phone");
});

test("match_on looks by these fields only, and another lead that has an address of the record is a warning", async () => {
  const { key } = await entrance();
  const { a, b, of } = await pair(key);
  const upsert = async (lead: object, matchOn: readonly string[]) => {
    const answer = await key.send("PUT", "/api/v1/leads/upsert", { lead, match_on: matchOn });
    const { id } = await bodyOf<{ id: string }>(answer, answer.status === 201 ? 201 : 200);
    return { id, warnings: warningsOf(answer) };
  };
  const byEmail = await upsert({ email: of.emailA, phone: of.phoneB }, ["email"]);
  assert.equal(byEmail.id, a);
  holds(byEmail.warnings, b, "phone");
  await bodyOf(await key.send("PATCH", `/api/v1/leads/${a}`, { phone: of.phoneA }));
  const byPhone = await upsert({ email: of.emailA, phone: of.phoneB }, ["phone", "email"]);
  assert.equal(byPhone.id, b);
  holds(byPhone.warnings, a, "email");
  await bodyOf(await key.send("PATCH", `/api/v1/leads/${b}`, { email: of.emailB }));
  const none = await upsert({ email: of.further }, ["email"]);
  assert.ok(none.id !== a && none.id !== b, "a further e-mail is not looked for");
  holds(none.warnings, b, "email");
});

test("match_on of a bulk upsert warns in the item's result", async () => {
  const { key } = await entrance();
  const { a, b, of } = await pair(key);
  const items = [{ email: of.emailA, phone: of.phoneB }, { email: of.emailB }];
  const { results } = await bodyOf<{ results: Item[] }>(
    await key.send("POST", "/api/v1/leads/bulk", { op: "upsert", match_on: ["email"], items }),
  );
  assert.deepEqual(
    results.map(({ id }) => id),
    [a, b],
  );
  holds(results[0]?.warnings, b, "phone");
  assert.equal(results[0]?.warnings?.[0]?.path, "$.items[0].phone");
});

test("a key that may not read leads is warned of nothing when it changes or creates a lead", async () => {
  const { the, key } = await entrance();
  const { a, of } = await pair(key);
  const writer = await the.key(["leads:write"]);
  const lead = { email: of.emailA, phone: of.phoneB };
  const answers = [
    await writer.send("PATCH", `/api/v1/leads/${a}`, { phone: of.phoneB }),
    await writer.send("POST", "/api/v1/leads", lead),
    await writer.send("PUT", "/api/v1/leads/upsert", {
      match_on: "email",
      lead: { ...lead, email: of.none },
    }),
  ];
  for (const answer of answers) {
    assert.ok(answer.status < 300, await answer.text());
    assert.deepEqual(warningsOf(answer), []);
  }
  const items = [{ id: a, phone: of.phoneB, emails: [of.emailB] }];
  const { results } = await bodyOf<{ results: Item[] }>(
    await writer.send("POST", "/api/v1/leads/bulk", { op: "update", items }),
  );
  assert.deepEqual(results[0]?.warnings, []);
});

test("a phone that hundreds of leads have finds none of them, beside an e-mail or alone", async () => {
  const { key } = await entrance();
  const phone = `+55119${39_000_000}`;
  const email = (n: number) => `${n}@switchboard.example.org`;
  const items = Array.from({ length: 250 }, (_, n) => ({ email: email(n), phone }));
  const made = await key.send("POST", "/api/v1/leads/bulk", { op: "create", items });
  const { results } = await bodyOf<{ results: { id: string; warnings: Told[] }[] }>(made);
  const [warning] = results[7]?.warnings ?? [];
  assert.match(`${warning?.code}: ${warning?.message}`, /^held: 20 or more leads have this phone, too: /);
  const ids = results.map(({ id }) => id);
  const [last = "", merged = ""] = [ids.at(-1), ids.at(-2)];
  await bodyOf(await key.send("POST", `/api/v1/leads/${last}/merge`, { with: merged }));
  const upsert = async (lead: object) => await key.send("PUT", "/api/v1/leads/upsert", { lead });
  const found = await bodyOf<{ id: string }>(await upsert({ email: email(249), phone, name: "Ana" }), 200);
  assert.equal(found.id, last);
  const survivor = await bodyOf<{ id: string }>(await upsert({ email: email(248), phone }), 200);
  assert.equal(survivor.id, last);
  const alone = await bodyOf<{ error: { code: string; message: string; details: { message: string }[] } }>(
    await upsert({ phone }),
    409,
  );
  assert.match(`${alone.error.code}: ${alone.error.message}`, /^ambiguous: 20 or more leads have this phone/);
  assert.deepEqual(
    alone.error.details.map(({ message }) => message),
    ids.sort().slice(0, 20),
  );
});
