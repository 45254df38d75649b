// panva's oidc-provider in a process of its own: node lab/bench/peer/process.ts PORT DATABASE_URL, started by peer.ts.
import { createHash } from "node:crypto";
import process from "node:process";
import { Provider } from "oidc-provider";
import pg from "pg";
import { adapterOn } from "./adapter.ts";

const [port = "", databaseUrl = ""] = process.argv.slice(2);
const SCOPE = "mcp:read mcp:write";
const REDIRECT = "https://bench.example/back";
const VERIFIER = "v".repeat(43);
const DAY = 86_400;

const pool = new pg.Pool({ connectionString: databaseUrl, max: 16, options: "-c timezone=UTC -c jit=off" });
const provider = new Provider(`http://localhost:${port}`, {
  adapter: adapterOn(pool),
  scopes: ["openid", "offline_access", ...SCOPE.split(" ")],
  pkce: { required: () => true },
  rotateRefreshToken: true,
  issueRefreshToken: async () => true,
  findAccount: (_ctx, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
  features: {
    devInteractions: { enabled: false },
    introspection: { enabled: true, allowedPolicy: async () => true },
    // Leadgate issues no token for managing a registration.
    registration: { enabled: true, issueRegistrationAccessToken: false },
  },
  ttl: { AccessToken: 3_600, AuthorizationCode: 600, RefreshToken: 90 * DAY, Grant: 90 * DAY },
  cookies: { keys: ["b".repeat(32)] },
});
let clientId = "";
provider.listen(Number(port), "127.0.0.1", async () => {
  const registered = await fetch(`http://127.0.0.1:${port}/reg`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    }),
  });
  clientId = ((await registered.json()) as { client_id: string }).client_id;
  process.send?.({ clientId });
});

process.on("message", async ({ make, count }: { make: "codes" | "refresh" | "access"; count: number }) => {
  const made: string[] = [];
  const lanes = Array.from({ length: 16 }, async () => {
    while (made.length < count) made.push(await maker[make]());
  });
  await Promise.all(lanes);
  process.send?.({ made: made.slice(0, count) });
});

const maker = {
  async codes() {
    const { grantId, client } = await grant();
    const codeChallenge = createHash("sha256").update(VERIFIER).digest("base64url");
    const code = new provider.AuthorizationCode({
      ...{ accountId: "person", client, grantId, scope: SCOPE, redirectUri: REDIRECT },
      ...{ codeChallenge, codeChallengeMethod: "S256" },
      gty: "authorization_code",
    });
    const same = { grant_type: "authorization_code", client_id: clientId, redirect_uri: REDIRECT };
    return String(new URLSearchParams({ ...same, code: await code.save(), code_verifier: VERIFIER }));
  },
  async refresh() {
    const { grantId, client } = await grant();
    const about = { accountId: "person", client, grantId, scope: SCOPE, gty: "authorization_code" };
    return await new provider.RefreshToken(about).save();
  },
  async access() {
    const { grantId, client } = await grant();
    const about = { accountId: "person", client, grantId, scope: SCOPE, gty: "authorization_code" };
    return await new provider.AccessToken(about).save();
  },
};

async function grant() {
  const client = await provider.Client.find(clientId);
  if (client === undefined) throw new Error("the peer has no client");
  const fresh = new provider.Grant({ accountId: "person", clientId });
  fresh.addOIDCScope(SCOPE);
  return { grantId: await fresh.save(), client };
}
