import assert from "node:assert/strict";
import { test } from "node:test";
import { world } from "../world.ts";
import { bodyOf } from "./support/application.ts";

test("both addresses of the server's metadata answer the same bytes, with the standard's members", async () => {
  await using the = await world({ env: { CIMD: "on" } });
  const paths = ["/api/well-known/oauth-authorization-server", "/.well-known/oauth-authorization-server"];
  const answers = await Promise.all(
    paths.map((path) => fetch(the.authUrl + path, { headers: { "X-Forwarded-Host": "evil.example" } })),
  );
  for (const answer of answers) {
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get("content-type") ?? "", /^application\/json(;|$)/);
    assert.equal(answer.headers.get("cache-control"), "public, max-age=300");
    assert.equal(answer.headers.get("access-control-allow-origin"), "*");
  }
  const [first = "", second] = await Promise.all(answers.map((answer) => answer.text()));
  assert.equal(first, second);
  const metadata = JSON.parse(first) as Record<string, unknown>;
  assert.equal(metadata.issuer, the.authUrl);
  assert.equal(metadata.authorization_endpoint, `${the.authUrl}/oauth/authorize`);
  for (const name of ["token", "registration", "introspection", "revocation"]) {
    const path = {
      token: "token",
      registration: "register",
      introspection: "introspect",
      revocation: "revoke",
    }[name];
    assert.equal(metadata[`${name}_endpoint`], `${the.authUrl}/api/oauth/${path}`);
  }
  assert.deepEqual(metadata.scopes_supported, ["mcp:read", "mcp:write"]);
  assert.deepEqual(metadata.response_types_supported, ["code"]);
  assert.deepEqual(metadata.code_challenge_methods_supported, ["S256"]);
  assert.deepEqual(metadata.token_endpoint_auth_methods_supported, ["none"]);
  assert.equal(metadata.authorization_response_iss_parameter_supported, true);
  assert.equal(metadata.client_id_metadata_document_supported, true);
  assert.equal("jwks_uri" in metadata, false);
  for (const value of Object.values(metadata)) assert.notDeepEqual(value, []);
});

test("the protected resource names its server and scopes at both addresses", async () => {
  await using the = await world();
  for (const end of ["", "/mcp"]) {
    const answer = await fetch(`${the.authUrl}/.well-known/oauth-protected-resource${end}`);
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("access-control-allow-origin"), "*");
    assert.deepEqual(await bodyOf(answer), {
      resource: `${the.authUrl}/mcp`,
      authorization_servers: [the.authUrl],
      scopes_supported: ["mcp:read", "mcp:write"],
      bearer_methods_supported: ["header"],
      resource_name: "Leadgate",
    });
  }
  assert.equal((await fetch(`${the.authUrl}/.well-known/openid-configuration`)).status, 404);
});
