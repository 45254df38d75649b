import assert from "node:assert/strict";
import { after, test } from "node:test";
import { formOf } from "../../browser.ts";
import { world } from "../../world.ts";
import { Application, challengeOf } from "../support/application.ts";
import { membersOf, type RawAnswer, raw } from "../support/raw.ts";

const the = await world();
after(() => the[Symbol.asyncDispose]());
const browser = await the.signedIn();
const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
const app = await Application.register(the);
const MEGABYTE = 1_024 * 1_024;

/** What can be wrong with one parameter, as `name=value` pairs that replace it. */
const WRONGS: Record<string, (name: string, value: string) => string> = {
  repeated: (name, value) => `${name}=${value}&${name}=${value}`,
  "repeated, once empty": (name, value) => `${name}=${value}&${name}=`,
  empty: (name) => `${name}=`,
  "without a value": (name) => name,
  missing: () => "",
  "a NUL": (name, value) => `${name}=${value}%00`,
  "bad UTF-8": (name, value) => `${name}=${value}%ff%fe`,
  "an overlong form": (name, value) => `${name}=${value}%c0%af`,
  "a lone surrogate": (name, value) => `${name}=${value}%ed%a0%80`,
  "a broken percent": (name, value) => `${name}=${value}%zz`,
  "a cut percent": (name, value) => `${name}=${value}%4`,
  "another case of its name": (name, value) => `${name.toUpperCase()}=${value}`,
};

type Fields = Record<string, string>;

/** Yields the request with one invalid parameter each, with the name of the error. */
function* wronged(fields: Fields): Generator<[string, string]> {
  for (const name of Object.keys(fields)) {
    for (const [wrong, spoil] of Object.entries(WRONGS)) {
      const pairs = Object.entries(fields).map(([each, value]) =>
        each === name ? spoil(each, encodeURIComponent(value)) : `${each}=${encodeURIComponent(value)}`,
      );
      yield [`${name}: ${wrong}`, pairs.filter((pair) => pair !== "").join("&")];
    }
  }
}

const form = (path: string, body: string | Buffer): Promise<RawAnswer> =>
  raw(the.authUrl + path, "POST", [["Content-Type", "application/x-www-form-urlencoded"]], body);

const refused = (answer: RawAnswer, what: string, errors: string[] = ["invalid_request"]): void => {
  const { error, error_description: description } = membersOf(answer);
  assert.equal(
    answer.status,
    error === "invalid_client" ? 401 : 400,
    `${what}: ${answer.text.slice(0, 200)}`,
  );
  assert.ok(errors.includes(String(error)), `${what}: ${error}`);
  // RFC 6749 5.2: the characters allowed in an error_description
  assert.match(String(description), /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/, what);
};

const EXCHANGE: Fields = {
  grant_type: "authorization_code",
  code: "lgc_x",
  client_id: app.clientId,
  redirect_uri: app.redirectUri,
  code_verifier: "v".repeat(43),
};
const REFRESH: Fields = { grant_type: "refresh_token", refresh_token: "lgr_x", client_id: app.clientId };

for (const [path, fields] of [
  ["/api/oauth/token", EXCHANGE],
  ["/api/oauth/token", REFRESH],
  ["/api/oauth/revoke", { token: "lga_x" }],
  ["/api/oauth/introspect", { token: "lga_x" }],
] as const) {
  test(`${path} says invalid_request to a broken ${Object.keys(fields).join(", ")}`, async () => {
    for (const [what, body] of wronged(fields)) refused(await form(path, body), what);
    const body = new URLSearchParams(fields).toString();
    refused(
      await form(path, Buffer.concat([Buffer.from(`${body}&x=`), Buffer.from([0xff, 0xfe])])),
      "raw bytes",
    );
    refused(await form(path, ""), "an empty body");
    refused(await form(path, "&".repeat(1_000)), "nothing but separators");
    for (const [name, value] of Object.entries(fields)) {
      const large = { ...fields, [name]: value.padEnd(MEGABYTE, "x") };
      assert.equal((await form(path, new URLSearchParams(large).toString())).status, 413, name);
    }
    const many = `${body}&${Array.from({ length: 2_000 }, (_, at) => `a${at}=`).join("&")}`;
    assert.ok((await form(path, many)).status < 500, "two thousand unknown parameters");
  });
}

test("the authorization endpoint never redirects while client or redirect URI is in doubt, and returns other errors to an application that was approved before", async () => {
  await app.code(browser);
  const fields: Fields = {
    client_id: app.clientId,
    redirect_uri: app.redirectUri,
    response_type: "code",
    state: "st4te",
    code_challenge: challengeOf("v".repeat(43)),
    code_challenge_method: "S256",
    scope: "mcp:read",
    resource: `${the.authUrl}/mcp`,
  };
  for (const [what, query] of wronged(fields)) {
    const answer = await raw(`${the.authUrl}/oauth/authorize?${query}`, "GET", [["Cookie", cookie]]);
    const name = what.split(":", 1)[0] ?? "";
    const encoding = /NUL|UTF-8|overlong|surrogate|percent/.test(what);
    if (name === "resource" && !encoding) {
      assert.equal(answer.status, 200, `${what}: it may be left out, and repeat`);
    } else if (encoding || name === "client_id" || name === "redirect_uri") {
      assert.deepEqual([answer.status, answer.headers.location], [400, undefined], what);
      assert.match(String(answer.headers["content-type"]), /^text\/html/);
      assert.equal(answer.headers["cache-control"], "no-store");
    } else {
      assert.equal(answer.status, 303, what);
      const back = new URL(String(answer.headers.location));
      assert.equal(back.searchParams.get("error"), "invalid_request", what);
      assert.equal(back.searchParams.get("state"), name === "state" ? null : "st4te", what);
    }
  }
  for (const [name, value] of Object.entries(fields)) {
    const large = new URLSearchParams({ ...fields, [name]: value.padEnd(MEGABYTE, "x") });
    const answer = await raw(`${the.authUrl}/oauth/authorize?${large}`, "GET", [["Cookie", cookie]]);
    assert.equal(answer.status, 431, name);
  }
});

test("the forms of the authorization pages refuse what they did not send", async () => {
  const codes = await the.sql("SELECT * FROM store.authorization_code");
  const { action, hidden } = await formOf(await browser.get(app.address()));
  const fields: Fields = { ...hidden, project_id: the.project.id, scope: "mcp:read", decision: "approve" };
  const headers = (type = "application/x-www-form-urlencoded") =>
    [
      ["Content-Type", type],
      ["Origin", the.authUrl],
      ["Cookie", cookie],
    ] as const;
  const spoilt: Array<[string, string]> = [...wronged(fields)].filter(
    // Leaving out scope is allowed, and so is repeating it with the same value.
    ([what]) => !/^scope: (empty|without|missing|repeated|another)/.test(what),
  );
  for (const [what, body] of spoilt) {
    const answer = await raw(the.authUrl + action, "POST", headers(), body);
    assert.ok([400, 403].includes(answer.status), `${what}: ${answer.status}`);
    assert.equal(answer.headers.location, undefined, what);
  }
  for (const name of Object.keys(fields)) {
    const large = new URLSearchParams({ ...fields, [name]: "x".repeat(MEGABYTE) }).toString();
    assert.equal((await raw(the.authUrl + action, "POST", headers(), large)).status, 413, name);
  }
  for (const type of ["application/json", "multipart/form-data; boundary=x", "text/plain"]) {
    const answer = await raw(
      the.authUrl + action,
      "POST",
      headers(type),
      new URLSearchParams(fields).toString(),
    );
    assert.equal(answer.status, 400, type);
  }
  assert.deepEqual(await the.sql("SELECT * FROM store.authorization_code"), codes);
});

test("registration refuses broken, huge, bottomless and wrongly typed metadata", async () => {
  const send = (body: string | Buffer) =>
    raw(`${the.authUrl}/api/oauth/register`, "POST", [["Content-Type", "application/json"]], body);
  const good = '"redirect_uris":["https://app.example/cb"]';
  const bodies: Array<string | Buffer> = [
    ...[
      "",
      " ",
      "null",
      "[]",
      '"x"',
      "1",
      "true",
      "{",
      "}",
      `{${good}`,
      `{${good},}`,
      `{'redirect_uris':[]}`,
    ],
    ...["{}", '{"redirect_uris":[]}', '{"redirect_uris":{}}', '{"redirect_uris":"https://a.example"}'],
    ...[
      '{"redirect_uris":[null]}',
      '{"redirect_uris":[[]]}',
      '{"redirect_uris":[1]}',
      '{"redirect_uris":[""]}',
    ],
    `{"redirect_uris":["https://app.example/\\u0000"]}`,
    `{"redirect_uris":["https://app.example/\\ud800"]}`,
    `{${good},"client_name":1}`,
    `{${good},"client_name":"\\u0000"}`,
    `{${good},"client_name":"\\ud800"}`,
    `{${good},"client_name":{}}`,
    `{${good},"grant_types":"authorization_code"}`,
    `{${good},"grant_types":[1]}`,
    `{${good},"response_types":["token"]}`,
    `{${good},"client_uri":"javascript:alert(1)"}`,
    `{${good},"logo_uri":"data:image/png;base64,AA=="}`,
    `{${good},"x":${"[".repeat(500)}${"]".repeat(500)}}`,
    Buffer.concat([Buffer.from(`{${good},"client_name":"`), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
    `{"redirect_uris":[${Array.from({ length: 11 }, (_, at) => `"https://app.example/${at}"`)}]}`,
  ];
  for (const body of bodies) {
    refused(await send(body), body.toString().slice(0, 90), [
      "invalid_request",
      "invalid_redirect_uri",
      "invalid_client_metadata",
    ]);
  }
  const huge = await send(`{${good},"client_name":"${"x".repeat(MEGABYTE)}"}`);
  assert.equal(huge.status, 413);
  const twice = `{"redirect_uris":["https://evil.example/"],${good}}`;
  refused(await send(twice), "a key twice, of which readers would keep different ones", ["invalid_request"]);
});
