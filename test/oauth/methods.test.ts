import assert from "node:assert/strict";
import { after, test } from "node:test";
import { world } from "../world.ts";
import { raw } from "./support/raw.ts";

const the = await world();
after(() => the[Symbol.asyncDispose]());

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "REPORT"];

const READ = ["GET", "HEAD"];
/** Every OAuth route with its methods; all others are 405 with these in Allow. */
const ADDRESSES: Record<string, string[]> = {
  "/api/well-known/oauth-authorization-server": [...READ, "OPTIONS"],
  "/.well-known/oauth-authorization-server": [...READ, "OPTIONS"],
  "/.well-known/oauth-protected-resource": [...READ, "OPTIONS"],
  "/.well-known/oauth-protected-resource/mcp": [...READ, "OPTIONS"],
  "/api/oauth/register": ["POST", "OPTIONS"],
  "/api/oauth/token": ["POST", "OPTIONS"],
  "/api/oauth/revoke": ["POST", "OPTIONS"],
  "/api/oauth/introspect": ["POST", "OPTIONS"],
  "/oauth/authorize": READ,
  "/oauth/consent": ["POST"],
  "/oauth/new-project": ["POST"],
  "/oauth/other-account": ["POST"],
};

for (const [path, allowed] of Object.entries(ADDRESSES)) {
  test(`${path} answers ${allowed.join(", ")}, and 405 with Allow to every other method`, async () => {
    for (const method of METHODS) {
      const answer = await raw(the.authUrl + path, method);
      const said = `${method} ${path}: ${answer.status} ${answer.text.slice(0, 200)}`;
      if (allowed.includes(method)) {
        assert.ok(answer.status < 500 && ![404, 405].includes(answer.status), said);
        if (method === "HEAD") assert.equal(answer.text, "");
      } else {
        assert.equal(answer.status, 405, said);
        const named = String(answer.headers.allow).split(", ");
        assert.ok(named.length > 0 && named.every((one) => allowed.includes(one)), `${said} ${named}`);
      }
    }
  });
}

test("HEAD answers like GET, without the body", async () => {
  for (const path of Object.keys(ADDRESSES).filter((path) => path.includes("well-known"))) {
    const [got, head] = [await raw(the.authUrl + path, "GET"), await raw(the.authUrl + path, "HEAD")];
    for (const name of ["content-type", "content-length", "cache-control", "access-control-allow-origin"])
      assert.equal(head.headers[name], got.headers[name], name);
    assert.deepEqual([head.status, head.text], [200, ""]);
  }
});

test("an unknown URL stays 404 for every method", async () => {
  for (const method of METHODS)
    assert.equal((await raw(`${the.authUrl}/api/oauth/nothing`, method)).status, 404, method);
});

test("what the framework itself refuses speaks as we do, not as the framework", async () => {
  for (const [method, path] of [
    ["QUERY", "/api/oauth/token"],
    ["GET", "/oauth/%zz"],
    ["GET", "/%"],
    ["POST", "/api/oauth/token/%ff%"],
    ["GET", `/projects/${"x".repeat(300)}`],
  ] as const) {
    const answer = await raw(the.authUrl + path, method);
    assert.ok([400, 404].includes(answer.status), `${method} ${path}: ${answer.status}`);
    assert.doesNotMatch(answer.text, /FST_|statusCode|"code":/, path);
    assert.ok(answer.headers["x-request-id"], path);
  }
});
