import assert from "node:assert/strict";
import { test } from "node:test";
import { world } from "../world.ts";
import { bodyOf, register } from "./support/application.ts";

const ALLOWED = [
  "https://app.example/cb",
  "https://app.example",
  "https://app.example:8443/cb?tenant=1&x=%20",
  "https://[2001:db8::1]/cb",
  "http://127.0.0.1/cb",
  "http://127.0.0.1:7777/cb",
  "http://[::1]:7777/cb",
  "http://localhost:3334/oauth/callback",
  "cursor://anysphere.cursor-retrieval/oauth/callback",
  "com.example.app:/callback",
  "vscode://host/path",
];

const FORBIDDEN = [
  "",
  "app.example/cb",
  "/cb",
  "//app.example/cb",
  "https:app.example/cb",
  "https:///cb",
  "https://app.example/cb#",
  "https://app.example/cb#part",
  "https://user@app.example/cb",
  "https://user:pw@app.example/cb",
  "https://app.example\\@evil.example/cb",
  "https://app.example/c b",
  " https://app.example/cb",
  "https://app.example/cb\n",
  "https://app.example/\tcb",
  "https://app.example/\0cb",
  "https://app.example/é",
  "https://app.example/%zz",
  "https://app.example:99999/cb",
  `https://app.example/${"a".repeat(2_030)}`,
  "http://app.example/cb",
  "http://localhost.evil.example/cb",
  "http://LOCALHOST/cb",
  "http://localhost:/cb",
  "http://127.1/cb",
  "http://127.0.0.2/cb",
  "http://0x7f000001/cb",
  "http://[::ffff:127.0.0.1]/cb",
  "javascript:alert(1)",
  "JavaScript://app.example/%0aalert(1)",
  "data:text/html,x",
  "file:///etc/passwd",
  "blob:https://app.example/x",
  "about:blank",
  "vbscript:x",
  "ms-msdt:/id",
  "search-ms:query=x",
  "itms-services://?action=download-manifest",
  "mailto:a@b.example",
  "vnd.ms.radio:x",
  "myapp://cb",
  "myapp:",
  "https://app.example/cb?code=1",
  "https://app.example/cb?x=1&state=2",
  "https://app.example/cb?iss=x",
  "https://app.example/cb?%65rror=x",
];

test("redirect URIs are judged as they were written", async () => {
  await using the = await world();
  for (const uri of ALLOWED) {
    const answer = await register(the, { redirect_uris: [uri] });
    const body = await bodyOf(answer);
    assert.equal(answer.status, 201, `${uri}: ${JSON.stringify(body)}`);
    assert.deepEqual(body.redirect_uris, [uri]);
  }
  for (const uri of FORBIDDEN) {
    const answer = await register(the, { redirect_uris: ["https://fine.example/cb", uri] });
    assert.equal(answer.status, 400, uri);
    assert.equal((await bodyOf(answer)).error, "invalid_redirect_uri", uri);
  }
  const eleven = Array.from({ length: 11 }, (_, index) => `https://app.example/${index}`);
  for (const uris of [undefined, null, [], "https://app.example/cb", [1], eleven]) {
    assert.equal((await bodyOf(await register(the, { redirect_uris: uris }))).error, "invalid_redirect_uri");
  }
});

test("what was registered is echoed, completed, without secret, null or empty text", async () => {
  await using the = await world();
  const least = await register(the, { redirect_uris: ["https://app.example/cb"] });
  assert.equal(least.status, 201);
  assert.equal(least.headers.get("cache-control"), "no-store");
  const { client_id: id, client_id_issued_at: at, ...rest } = await bodyOf(least);
  assert.match(String(id), /^app_/);
  assert.ok(Number.isInteger(at) && Math.abs(Number(at) - Date.now() / 1_000) < 60);
  assert.deepEqual(rest, {
    client_name: "app.example",
    redirect_uris: ["https://app.example/cb"],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  });
  const full = {
    client_name: `<b>"Ünïcode"</b> & Söhne`,
    client_uri: "http://app.example/about",
    logo_uri: "https://app.example/logo.png",
    redirect_uris: ["https://app.example/cb"],
    grant_types: ["authorization_code"],
    response_types: ["code"],
  };
  const others = {
    token_endpoint_auth_method: "client_secret_post",
    scope: "x",
    software_id: "y",
    contacts: [],
  };
  const {
    client_id: _id,
    client_id_issued_at: _at,
    ...echo
  } = await bodyOf(await register(the, { ...full, ...others }));
  assert.deepEqual(echo, { ...full, token_endpoint_auth_method: "none" });
});

test("bad metadata is invalid_client_metadata, a bad request invalid_request, a huge one 413", async () => {
  await using the = await world();
  const redirect_uris = ["https://app.example/cb"];
  const bad = [
    { client_name: 5 },
    { client_name: "a\0b" },
    { client_name: "\u3164\u200b" },
    { client_uri: "https://bank.example@app.example/" },
    { logo_uri: "https://bank.example@app.example/logo.png" },
    { client_name: "\ud800" },
    { client_name: "x".repeat(300) },
    { client_uri: "javascript:alert(1)" },
    { logo_uri: "data:image/png;base64,x" },
    { logo_uri: "//app.example/logo.png" },
    { grant_types: ["client_credentials"] },
    { grant_types: "authorization_code" },
    { response_types: ["token"] },
  ];
  for (const each of bad) {
    const answer = await register(the, { redirect_uris, ...each });
    assert.equal(answer.status, 400, JSON.stringify(each));
    assert.equal((await bodyOf(answer)).error, "invalid_client_metadata", JSON.stringify(each));
  }
  for (const text of ["[]", "5", "null"]) {
    assert.equal((await bodyOf(await register(the, text))).error, "invalid_client_metadata");
  }
  const form = await register(the, "redirect_uris=x", {
    "Content-Type": "application/x-www-form-urlencoded",
  });
  assert.equal(form.status, 400);
  assert.equal((await bodyOf(form)).error, "invalid_request");
  for (const text of ["{", "", `{"a":${"[".repeat(5_000)}`]) {
    const answer = await register(the, text);
    assert.equal(answer.status, 400);
    assert.equal((await bodyOf(answer)).error, "invalid_request");
  }
  assert.equal((await register(the, { redirect_uris, pad: "x".repeat(100_000) })).status, 413);
});
