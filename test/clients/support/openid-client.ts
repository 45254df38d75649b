import * as openid from "openid-client";
import type { World } from "../../world.ts";
import {
  addresses,
  CALLBACK,
  type ClientLibrary,
  type Connection,
  type Pair,
  registered,
  SCOPE,
} from "./connection.ts";

const pairOf = (tokens: openid.TokenEndpointResponse): Pair => ({
  access: tokens.access_token,
  refresh: tokens.refresh_token ?? "",
});

/** openid-client takes an issuer; service.md's URL is passed as a document that was read before. */
export const openidClient = (discovers: "by issuer" | "by document"): ClientLibrary => ({
  name: `openid-client, ${discovers}`,
  async connect(the, ask) {
    const config = await (discovers === "by issuer" ? byIssuer(the) : byDocument(the));
    return await letIn(config, ask);
  },
});

const byIssuer = (the: World): Promise<openid.Configuration> =>
  openid.dynamicClientRegistration(
    new URL(the.authUrl),
    { client_name: "openid-client", redirect_uris: [CALLBACK] },
    openid.None(),
    { execute: [openid.allowInsecureRequests], algorithm: "oauth2" },
  );

async function byDocument(the: World): Promise<openid.Configuration> {
  const metadata = (await addresses(the)) as unknown as openid.ServerMetadata;
  const id = await registered(the, "openid-client");
  const config = new openid.Configuration(metadata, id, undefined, openid.None());
  openid.allowInsecureRequests(config);
  return config;
}

async function letIn(config: openid.Configuration, ask: (address: URL) => Promise<URL>): Promise<Connection> {
  const verifier = openid.randomPKCECodeVerifier();
  const state = openid.randomState();
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: CALLBACK,
    scope: SCOPE,
    state,
    code_challenge: await openid.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  const checks = { expectedState: state, pkceCodeVerifier: verifier };
  const tokens = await openid.authorizationCodeGrant(config, await ask(address), checks);
  return {
    ...pairOf(tokens),
    renew: async (refresh) => pairOf(await openid.refreshTokenGrant(config, refresh)),
    isActive: async (token) => (await openid.tokenIntrospection(config, token)).active,
    end: async (token) => await openid.tokenRevocation(config, token),
  };
}
