import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { checksumOf } from "../../src/core/secret.ts";
import { contents } from "../contents.ts";
import { Application } from "../oauth/support/application.ts";
import { type World, world } from "../world.ts";
import { CALLS, type Call, names, REFERENCES } from "./support/endpoint-calls.ts";
import { textOf } from "./support/text-of.ts";
import { FULL, filled, type Ids, nobody, type Side } from "./support/two-projects.ts";

/** Routes in OpenAPI that require no key: those of the authorization server. */
const PUBLIC = [
  "GET /.well-known/oauth-authorization-server",
  "GET /.well-known/oauth-protected-resource",
  "GET /.well-known/oauth-protected-resource/mcp",
  "GET /api/well-known/oauth-authorization-server",
  "POST /api/oauth/introspect",
  "POST /api/oauth/register",
  "POST /api/oauth/revoke",
  "POST /api/oauth/token",
];

let the: World;
let alder: Side;
let birch: Side;
before(async () => {
  the = await world();
  [alder, birch] = [await filled(the, "alder"), await filled(the, "birch")];
});
after(async () => await the[Symbol.asyncDispose]());

interface Heard {
  status: number;
  /** Headers and body, without what differs between two responses to one request. */
  text: string;
  json(): Record<string, unknown>;
}

async function ask(
  method: string,
  call: Pick<Call, "path" | "body" | "file">,
  ids: Ids,
  headers: Record<string, string>,
  more: { body?: string; project?: string } = {},
): Promise<Heard> {
  const body = call.body?.(ids);
  const sent =
    body === undefined ? undefined : { ...body, ...(more.project && { project_id: more.project }) };
  const text = more.body ?? call.file ?? (sent === undefined ? undefined : JSON.stringify(sent));
  const type = { "Content-Type": call.file === undefined ? "application/json" : "text/csv" };
  const asked = call.file === undefined || more.project === undefined ? "" : `?project_id=${more.project}`;
  const answer = await fetch(the.baseUrl + call.path(ids) + asked, {
    method,
    headers: { ...headers, ...(text === undefined ? {} : type) },
    ...(text === undefined ? {} : { body: text }),
  });
  const heard = await textOf(answer);
  const own = ["date", "x-request-id", "content-length", "connection", "keep-alive", "ratelimit"];
  const told = [...answer.headers].filter(([name]) => !own.includes(name));
  return {
    status: answer.status,
    text: `${JSON.stringify(told)}\n${heard.replace(/"request_id":"req_\w+"/, '"request_id":"…"')}`,
    json: () => JSON.parse(heard) as Record<string, unknown>,
  };
}

const bearer = (text: string) => ({ Authorization: `Bearer ${text}` });
const methodOf = (name: string) => name.split(" ")[0] ?? "";

function assertRefusal(name: string, heard: Heard, who: string): void {
  const body = heard.json();
  if (!name.includes("/api/v1/")) {
    assert.deepEqual(Object.keys(body).sort(), ["code", "detail"], `${who}: ${name}`);
    return;
  }
  assert.deepEqual(Object.keys(body).sort(), ["error", "request_id"], `${who}: ${name}`);
  assert.deepEqual(
    Object.keys(body.error as object).sort(),
    ["code", "details", "message"],
    `${who}: ${name}`,
  );
}

interface Described {
  paths: Record<string, Record<string, { security: Array<{ key?: string[] }> }>>;
}

test("every endpoint in OpenAPI on both hosts is tried here, with the permission that OpenAPI names", async () => {
  const told: string[] = [];
  for (const host of [the.baseUrl, the.authUrl]) {
    const { paths } = (await (await fetch(`${host}/openapi.json`)).json()) as Described;
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { security }] of Object.entries(methods)) {
        // An address that ends in a slash is served without it, too; OpenAPI lists it once.
        for (const name of new Set(
          [path, path.replace(/\/$/, "")].map((url) => `${method.toUpperCase()} ${url}`),
        )) {
          told.push(name);
          const ways = security.map(({ key = [] }) => key.join());
          const { needs, also } = CALLS[name] ?? {};
          const way = [needs, also].filter((each) => each !== undefined).join();
          assert.ok(name in CALLS ? ways.includes(way) : ways.length === 0, `${name} needs ${ways}`);
        }
      }
    }
  }
  assert.deepEqual(told.sort(), [...Object.keys(CALLS), ...PUBLIC].sort());
});

test("no endpoint accepts a wrong credential, reveals anything of the other project, or changes a row", async () => {
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const { access, refresh } = await app.tokens(browser);
  const { project } = alder.ids;
  const [revoked, expired] = [await the.key(FULL, project), await the.key(FULL, project)];
  await the.sql("UPDATE store.api_key SET revoked_at = now() WHERE id = $1", [revoked.id]);
  await the.sql("UPDATE store.api_key SET expires_at = now() WHERE id = $1", [expired.id]);
  const lacking: Record<string, { text: string }> = {};
  for (const needs of FULL)
    lacking[needs] = await the.key(
      FULL.filter((each) => each !== needs),
      project,
    );
  const strangers: Record<string, Record<string, string>> = {
    nobody: {},
    garbage: bearer("lgk_garbage"),
    "a key with another end": bearer(alder.key.text.replace(/.$/, (end) => (end === "0" ? "1" : "0"))),
    "the other key's secret under this project": bearer(crossed(alder.key.text, birch.key.text)),
    "a key in a basic login": { Authorization: `Basic ${btoa(`key:${alder.key.text}`)}` },
    "a key in a cookie": { Cookie: `leadgate_session=${alder.key.text}` },
    "a revoked key": bearer(revoked.text),
    "an expired key": bearer(expired.text),
    "an access token": bearer(access),
    "a refresh token": bearer(refresh),
    "a session": { Cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
  };
  const before = await contents(the);
  for (const [name, call] of Object.entries(CALLS)) {
    const method = methodOf(name);
    const tried: Heard[] = [];
    for (const [who, headers] of Object.entries(strangers)) {
      for (const more of call.body === undefined ? [{}] : [{}, { body: "{broken" }]) {
        const heard = await ask(method, call, alder.ids, headers, more);
        assert.equal(heard.status, 401, `${who}: ${name}\n${heard.text}`);
        assert.match(heard.text, /"www-authenticate","Bearer"/);
        assertRefusal(name, heard, who);
        tried.push(heard);
      }
    }
    const answers = [...new Set(tried.map(({ text }) => text))];
    assert.equal(answers.length, 1, `${name} says why a credential is wrong\n${answers.join("\n")}`);
    const weak: Heard[] = [];
    for (const needed of [call.needs ?? [], call.also ?? []].flat()) {
      const heard = await ask(method, call, alder.ids, bearer(lacking[needed]?.text ?? ""));
      assert.equal(heard.status, 403, `without ${needed}: ${name}\n${heard.text}`);
      assertRefusal(name, heard, `without ${needed}`);
      weak.push(heard);
    }
    const foreign = await ask(method, call, alder.ids, bearer(birch.key.text), { project });
    const status = takesProject(call) ? 403 : names(call, alder.ids, birch.ids) ? 404 : 200;
    assert.equal(foreign.status, status, `the other project's key: ${name}\n${foreign.text}`);
    if (status !== 200) assertRefusal(name, foreign, "the other project's key");
    for (const { text } of [...tried, ...weak, foreign])
      assert.ok(!text.includes(alder.mark), `${name}\n${text}`);
  }
  assert.deepEqual(await contents(the), before);
});

test("things of another project are answered byte for byte as if they did not exist, and stay unchanged", async () => {
  const key = bearer(alder.key.text);
  const before = await contents(the);
  const all = { ...CALLS, ...Object.fromEntries(Object.entries(REFERENCES).map(referring)) };
  let tried = 0;
  for (const [name, call] of Object.entries(all)) {
    const none = nobody();
    const method = methodOf(name);
    if (names(call, birch.ids, none)) {
      const [theirs, never] = [await ask(method, call, birch.ids, key), await ask(method, call, none, key)];
      assert.equal(theirs.status, call.missing ?? 404, `${name}\n${theirs.text}`);
      assert.equal(unnamed(theirs, birch.ids), unnamed(never, none), name);
      assert.ok(!theirs.text.includes(birch.mark), `${name}\n${theirs.text}`);
      tried += 1;
    }
    if (takesProject(call)) {
      const [theirs, never] = [birch.ids.project, none.project].map((project) =>
        ask(method, call, alder.ids, key, { project }),
      );
      assert.equal((await theirs)?.status, 403, name);
      assert.equal((await theirs)?.text, (await never)?.text, name);
    }
  }
  assert.ok(tried > 35, String(tried));
  const cursor = await alder.key.send("POST", "/api/v1/leads/search", { limit: 1, cursor: birch.cursor });
  assert.equal(cursor.status, 400);
  assert.deepEqual(await contents(the), before);
});

test("each project is shown its own, and leads of the same e-mail, phone and external id never meet", async () => {
  for (const [own, other] of [
    [alder, birch],
    [birch, alder],
  ] as const) {
    const theirs = async () =>
      Object.values(await contents(the))
        .flat()
        .filter((row) => row.includes(other.ids.project));
    const before = await theirs();
    for (const [name, { shows, ...call }] of Object.entries(CALLS)) {
      if (shows === undefined) continue;
      const heard = await ask(methodOf(name), call, own.ids, bearer(own.key.text));
      assert.equal(heard.status, 200, `${name}\n${heard.text}`);
      if (shows === true) assert.ok(heard.text.includes(own.mark), `${name} shows nothing\n${heard.text}`);
      assert.ok(!heard.text.includes(other.mark), `${name}\n${heard.text}`);
    }
    for (const lead of [
      { external_id: "same-2" },
      { email: "same-2@example.org" },
      { phone: "+55 11 90000-0002" },
    ]) {
      const found = await own.key.send("PUT", "/api/v1/leads/upsert", { lead });
      assert.equal(found.headers.get("x-leadgate-outcome"), "unchanged");
      assert.equal(((await found.json()) as { id: string }).id, own.ids.other);
    }
    const filter = { field: "email", op: "starts_with", value: "same" };
    const set = { op: "set", filter, expected_count: 2, set: { score: 9 } };
    assert.equal((await own.key.send("POST", "/api/v1/leads/bulk", set)).status, 200);
    assert.deepEqual(await theirs(), before);
  }
});

const takesProject = (call: Call): boolean => call.body !== undefined || call.file !== undefined;

const referring = ([name, call]: [string, Omit<Call, "needs">]): [string, Call] => [
  `${call.body === undefined ? "GET" : "POST"} ${name}`,
  { needs: "leads:read", ...call },
];

/** Returns a response in which ids are replaced by their names. */
const unnamed = ({ status, text }: Heard, ids: Ids): string =>
  Object.entries(ids).reduce((left, [name, id]) => left.replaceAll(id, `<${name}>`), `${status} ${text}`);

/** Returns a key with one project's id and the other key's secret. */
function crossed(own: string, other: string): string {
  const [lgk, project, id] = own.split("_");
  const body = [lgk, project, id, other.split("_")[3]].join("_");
  return `${body}_${checksumOf(body)}`;
}
