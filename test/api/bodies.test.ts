import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { API } from "../../src/contract/all.ts";
import { type Endpoint, hasOptionalBody } from "../../src/contract/basics/endpoint.ts";
import { type World, world } from "../world.ts";
import { CALLS, type Call, names } from "./support/endpoint-calls.ts";
import { textOf } from "./support/text-of.ts";
import { filled, nobody, type Side } from "./support/two-projects.ts";

let the: World;
let side: Side;
before(async () => {
  the = await world();
  side = await filled(the, "alder");
});
after(async () => await the[Symbol.asyncDispose]());

interface Schema {
  properties?: Record<string, unknown>;
  patternProperties?: object;
  required?: readonly string[];
  additionalProperties?: boolean;
  anyOf?: readonly Schema[];
}

/** The endpoints that take JSON, or nothing but are not GET, each with its usual call. */
const writing = API.filter(({ method, body = {} }) => method !== "GET" && !("types" in body)).map(
  (endpoint): [Endpoint, string, Call] => {
    const name = `${endpoint.method} ${endpoint.url}`;
    return [endpoint, name, CALLS[name] ?? assert.fail(name)];
  },
);

async function send(method: string, path: string, body?: string, type?: string) {
  const answer = await fetch(the.baseUrl + path, {
    method,
    headers: {
      Authorization: `Bearer ${side.key.text}`,
      ...(type === undefined ? {} : { "Content-Type": type }),
    },
    ...(body === undefined ? {} : { body: new TextEncoder().encode(body) }),
  });
  return { status: answer.status, text: (await textOf(answer)).replace(/"request_id":"\w+"/, "") };
}

/** Names that are keys of some bodies, parameters of paths, or what operations call what they get from there. */
const NAMES = ["nonsense", "id", "key", "dataset", "row", "lead", "event", "patch", "dry_run", "version"];

/** The keys that a body may have; undefined if it may have any. */
function keysOf({
  properties,
  patternProperties,
  anyOf,
  additionalProperties,
}: Schema): string[] | undefined {
  if (anyOf !== undefined) return anyOf.flatMap((form) => keysOf(form) ?? []);
  return patternProperties === undefined && additionalProperties === false
    ? Object.keys(properties ?? {})
    : undefined;
}

test("no endpoint takes a key in its body that it does not know, be it a parameter of its path", async () => {
  const accepted: string[] = [];
  let tried = 0;
  for (const [{ method, body }, name, call] of writing) {
    const known = body === undefined ? [] : keysOf(body as Schema);
    if (known === undefined) continue;
    for (const key of NAMES.filter((each) => !known.includes(each))) {
      const sent = JSON.stringify({ ...call.body?.(side.ids), [key]: key });
      const { status, text } = await send(method, call.path(side.ids), sent, "application/json");
      if (status !== 400 || !text.includes(`$.${key}`)) accepted.push(`${name} ${key}: ${status} ${text}`);
      tried += 1;
    }
  }
  assert.deepEqual(accepted, []);
  assert.ok(tried > 300, String(tried));
});

test("a body of which nothing is required may be left out, with and without a content type, and is {} then", async () => {
  const differ: string[] = [];
  let tried = 0;
  for (const [endpoint, name, call] of writing) {
    if (endpoint.body !== undefined && !hasOptionalBody(endpoint)) continue;
    // By an id that does not exist, so that no call changes what the next one finds.
    const path = call.path(names(call, side.ids, nobody()) ? nobody() : side.ids);
    const whole = await send(endpoint.method, path, "{}", "application/json");
    for (const [body, type] of [[], [""], ["", "application/json"], ["", "text/plain"]] as const) {
      const none = await send(endpoint.method, path, body, type);
      if (none.status !== whole.status || idless(none.text) !== idless(whole.text))
        differ.push(`${name} ${type ?? ""}: ${none.status} ${none.text}, with {} ${whole.status}`);
    }
    tried += 1;
  }
  assert.deepEqual(differ, []);
  assert.ok(tried > 30, String(tried));
});

/** An answer without what two equal calls do not share. */
const idless = (text: string): string =>
  text.startsWith("PK")
    ? "a ZIP"
    : text.replace(/"[a-z]{2,4}_[0-9a-z]{26}"|\d{4}-\d\d-\d\dT[^"]*|"\w*cursor":"[^"]*"/g, "…");

test("every undo works without a body", async () => {
  const { ids } = side;
  const undone = async (path: string, status: number) => {
    const { status: got, text } = await send("POST", path);
    assert.equal(got, status, `${path} ${text}`);
  };
  await undone(`/api/v1/merges/${ids.merge}/undo`, 200);
  await undone(`/api/v1/changes/${ids.change}/undo`, 200);
  await undone(`/api/v1/imports/${ids.import}/undo`, 202);
  assert.deepEqual(
    API.flatMap(({ url }) => (url.endsWith("/undo") ? [url.split("/")[3]] : [])).sort(),
    ["changes", "changes", "imports", "merges"],
    "each undo is tried here, but that of an actor, who must be named",
  );
});

/** Values of every type, of which each key of a body gets all that it does not take. */
const WRONG = [
  null,
  true,
  -1,
  1e12,
  "",
  "x".repeat(30_000),
  "\0",
  [],
  {},
  Array(600).fill("x"),
  [{}],
  { a: {} },
];

/** Yields the body with each of its members replaced in turn by each wrong value, and left out. */
function* wrong(body: unknown): Generator<unknown> {
  if (typeof body !== "object" || body === null) return;
  for (const [key, value] of Object.entries(body)) {
    const put = (inside: unknown) =>
      Array.isArray(body) ? body.with(Number(key), inside) : { ...body, [key]: inside };
    for (const each of WRONG) yield put(each);
    for (const inside of wrong(value)) yield put(inside);
    if (!Array.isArray(body)) yield Object.fromEntries(Object.entries(body).filter(([name]) => name !== key));
  }
}

// Slow: it sends every endpoint wrong values in each of its members.
test("the codes of all faults in bodies are in the list of api-design.md", async () => {
  const page = readFileSync("docs/api-design.md", "utf8");
  const [, list = ""] = /^## Codes of faults$([\s\S]*?)^## /m.exec(page) ?? [];
  const listed = new Set([...list.matchAll(/`(\w+)`/g)].map(([, code]) => code));
  const found = new Map<string, string>();
  for (const [{ method, examples, body, url }, name, call] of writing) {
    const params = url.includes("{");
    const path = call.path(params ? nobody() : side.ids);
    const known = Object.fromEntries(
      Object.keys((body as Schema | undefined)?.properties ?? {}).map((key) => [key, "x"]),
    );
    for (const usual of [call.body?.(side.ids), known, ...Object.values(examples ?? {})])
      for (const each of [...wrong(usual)].filter((_, i) => i % 9 === 0)) {
        const { status, text } = await send(method, path, JSON.stringify(each), "application/json");
        if (status !== 400 && status !== 422) continue;
        const { error, code } = JSON.parse(text.replace(/,(?=})/, "")) as {
          error?: { code: string; details: { code: string }[] };
          code?: string;
        };
        for (const one of [code ?? error?.code ?? "", ...(error?.details ?? []).map((fault) => fault.code)])
          if (!listed.has(one))
            found.set(one, found.get(one) ?? `${name} ${JSON.stringify(each).slice(0, 120)}`);
      }
  }
  assert.deepEqual(Object.fromEntries(found), {});
});
