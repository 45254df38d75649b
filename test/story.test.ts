import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import * as oauth from "oauth4webapi";
import { realBrowser } from "./chromium.ts";
import { notLinux } from "./programs.ts";
import { freePort, world } from "./world.ts";

const insecure = { [oauth.allowInsecureRequests]: true };

/** Starts the application's own small server, which waits for the redirect. */
async function callback(): Promise<{ uri: string; arrived: Promise<URL>; close(): void }> {
  const port = await freePort();
  const uri = `http://127.0.0.1:${port}/callback`;
  let close = () => {};
  const arrived = new Promise<URL>((resolve) => {
    const server = createServer((request, response) => {
      response.end("<h1>Connected</h1>");
      if (request.url?.startsWith("/callback")) resolve(new URL(request.url, uri));
    });
    server.listen(port, "127.0.0.1");
    server.unref();
    close = () => server.close();
  });
  return { uri, arrived, close };
}

test("an application discovers, registers, is granted access in a browser, reads over MCP, refreshes, replays and is cut off; a key reads the same lead", {
  skip: notLinux,
}, async () => {
  await using the = await world();
  const leadId = `lead_${"0".repeat(25)}1`;
  await the.sql(
    "INSERT INTO store.lead (project_id, id, name, email, status) VALUES ($1, $2, 'Zoë Wagner', 'zoe@example.org', 'won')",
    [the.project.id, leadId],
  );

  // Discover and register.
  const issuer = new URL(the.authUrl);
  const server = await oauth.processDiscoveryResponse(
    issuer,
    await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure }),
  );
  const back = await callback();
  const registered = await oauth.processDynamicClientRegistrationResponse(
    await oauth.dynamicClientRegistrationRequest(
      server,
      {
        client_name: "Deal <Finder>",
        redirect_uris: [back.uri],
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
      },
      insecure,
    ),
  );
  const client: oauth.Client = { client_id: registered.client_id };

  // The person signs in and grants access, in a real browser.
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const wish = new URL(server.authorization_endpoint ?? "");
  wish.search = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: back.uri,
    response_type: "code",
    state,
    scope: "mcp:read mcp:write",
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  }).toString();
  const browser = await realBrowser();
  try {
    const page = await browser.newPage({ javaScriptEnabled: false });
    await page.goto(wish.href);
    await page.fill("input[name=email]", the.person.email);
    await page.fill("input[name=password]", the.person.password);
    await page.click("form[method=post] button");
    await page.waitForSelector("input[name=scope]");
    const consent = await page.innerText("body");
    assert.match(consent, /Deal <Finder>/);
    assert.match(consent, /127\.0\.0\.1/);
    assert.match(consent, /Harbour Sales/);
    await page.uncheck("input[name=scope][value='mcp:write']");
    await page.click("button[name=decision][value=approve]");
    await back.arrived;
  } finally {
    await browser.close();
    back.close();
  }

  // Exchange the code.
  const parameters = oauth.validateAuthResponse(server, client, await back.arrived, state);
  const tokens = await oauth.processAuthorizationCodeResponse(
    server,
    client,
    await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      parameters,
      back.uri,
      verifier,
      insecure,
    ),
  );
  assert.equal(tokens.scope, "mcp:read");

  // Read over MCP.
  const read = async (accessToken: string) => {
    const assistant = new Client({ name: "story", version: "1" });
    const requestInit = { headers: { Authorization: `Bearer ${accessToken}` } };
    await assistant.connect(
      new StreamableHTTPClientTransport(new URL(`${the.authUrl}/mcp`), { requestInit }) as never,
    );
    const answer = await assistant.callTool({ name: "get_lead", arguments: { id: leadId } });
    await assistant.close();
    return JSON.stringify(answer.structuredContent);
  };
  assert.match(await read(tokens.access_token), /Zoë Wagner/);

  // Refresh, then replay: the entire chain is revoked.
  const refresh = async (token: string) =>
    await oauth.refreshTokenGrantRequest(server, client, oauth.None(), token, insecure);
  const renewed = await oauth.processRefreshTokenResponse(
    server,
    client,
    await refresh(tokens.refresh_token ?? ""),
  );
  assert.match(await read(renewed.access_token), /Zoë Wagner/);
  const replay = await refresh(tokens.refresh_token ?? "");
  assert.equal(replay.status, 400);
  assert.deepEqual(
    ((await replay.json()) as { error: string; error_description: string }).error_description,
    "replay detected",
  );
  for (const token of [tokens.access_token, renewed.access_token]) {
    const cut = await fetch(`${the.authUrl}/mcp`, { headers: { Authorization: `Bearer ${token}` } });
    assert.equal(cut.status, 401);
  }
  assert.equal((await refresh(renewed.refresh_token ?? "")).status, 400);

  // The same lead over REST.
  const key = await the.key(["leads:read"]);
  const lead = (await (await key.send("GET", `/api/leads/${leadId}/`)).json()) as { name: string };
  assert.equal(lead.name, "Zoë Wagner");
});
