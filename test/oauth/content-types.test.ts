import assert from "node:assert/strict";
import { after, test } from "node:test";
import { world } from "../world.ts";
import { membersOf, raw } from "./support/raw.ts";

const the = await world();
after(() => the[Symbol.asyncDispose]());

const FORM = [
  "application/x-www-form-urlencoded",
  "application/x-www-form-urlencoded; charset=utf-8",
  "application/x-www-form-urlencoded;charset=UTF-8",
  'application/x-www-form-urlencoded; charset="utf-8"',
  "application/x-www-form-urlencoded ; charset=utf-8",
  "application/x-www-form-urlencoded;",
  "application/x-www-form-urlencoded; charset",
  "application/x-www-form-urlencoded; a=b; c=d",
  "APPLICATION/X-WWW-FORM-URLENCODED",
  "Application/X-Www-Form-Urlencoded; Charset=Utf-8",
];
const JSON_TYPES = [
  "application/json",
  "application/json; charset=utf-8",
  "application/json;charset=UTF-8",
  'application/json; charset="utf-8"',
  "application/json ; charset=utf-8",
  "application/json;",
  "application/json; charset",
  "application/json; profile=x; q=1",
  "APPLICATION/JSON",
  "Application/Json; Charset=Utf-8",
];
const NEITHER: Array<string | string[] | undefined> = [
  ...[
    "text/plain",
    "text/plain; charset=utf-8",
    "text/plain; boundary=application/json",
    "text/html",
    "text/json",
  ],
  ...["text/x-json", "text/javascript", "text/csv", "text/*", "*/*", "*", "application/*", "application"],
  ...["application/", "/json", "json", "/", ";", "; charset=utf-8", "application/jsonx", "application/json5"],
  ...["application/ld+json", "application/vnd.api+json", "application/problem+json", "application/x-json"],
  ...[
    "application/json, application/x-www-form-urlencoded",
    "application/x-www-form-urlencoded, application/json",
  ],
  ...["text/plain, application/json", "application/x-www-form-urlencodedx", "x-www-form-urlencoded"],
  ...[
    "application /x-www-form-urlencoded",
    "application/ json",
    "application/x-www-form-urlencoded charset=utf-8",
  ],
  ...["multipart/form-data", "multipart/form-data; boundary=x", "multipart/mixed; boundary=x", "image/png"],
  ...[
    "application/xml",
    "application/octet-stream",
    "application/x-protobuf",
    "\u00e9/\u00ff",
    "a".repeat(4_000),
  ],
  ...[
    "application/javascript; charset=utf-8; x=application/json",
    "application\\json",
    "application%2Fjson",
    '""',
  ],
  undefined,
  "",
  ["text/plain", "application/json"],
  ["multipart/form-data", "application/x-www-form-urlencoded"],
];

/**
 * Each endpoint with a body that it accepts, the result of that, and the result of any other content type.
 */
const ENDPOINTS = [
  { path: "token", takes: FORM, body: "grant_type=other", gets: [400, "unsupported_grant_type"] },
  { path: "revoke", takes: FORM, body: "token=unknown", gets: [200, undefined] },
  { path: "introspect", takes: FORM, body: "token=unknown", gets: [200, undefined] },
  {
    path: "register",
    takes: JSON_TYPES,
    body: '{"redirect_uris":["https://app.example/cb"]}',
    gets: [201, undefined],
  },
];

for (const { path, takes, body, gets } of ENDPOINTS) {
  test(`${path} takes its own content type in every spelling, and says what is wrong with any other`, async () => {
    const others = [...(takes === FORM ? JSON_TYPES : FORM), ...NEITHER];
    assert.ok(takes.length + others.length >= 60);
    for (const [types, expected] of [
      [takes, gets],
      [others, [400, "invalid_request"]],
    ] as const) {
      for (const type of types) {
        const headers = [type ?? []].flat().map((one) => ["Content-Type", one] as const);
        const answer = await raw(`${the.authUrl}/api/oauth/${path}`, "POST", headers, body);
        const { error, error_description: description } = membersOf(answer);
        assert.deepEqual([answer.status, error], expected, JSON.stringify(type));
        assert.match(String(answer.headers["content-type"]), /^application\/json/);
        if (error !== undefined) assert.match(String(description), /\w{3}/);
        assert.equal(answer.headers["cache-control"], "no-store");
      }
    }
  });
}
