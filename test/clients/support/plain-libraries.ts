import { randomBytes } from "node:crypto";
import {
  OAuth2Client as Badgateway,
  generateCodeVerifier,
  type OAuth2Token,
} from "@badgateway/oauth2-client";
import { OAuth2Client as Arctic, CodeChallengeMethod, type OAuth2Tokens } from "arctic";
import { type AccessToken, AuthorizationCode } from "simple-oauth2";
import { challengeOf } from "../../oauth/support/application.ts";
import {
  addresses,
  CALLBACK,
  type ClientLibrary,
  codeIn,
  discoveryAddress,
  type Pair,
  registered,
  SCOPE,
} from "./connection.ts";

const random = (): string => randomBytes(32).toString("base64url");

/**
 * Finds every URL through service.md's discovery document; compares state, and leaves iss to the application.
 */
export const badgateway: ClientLibrary = {
  name: "@badgateway/oauth2-client",
  async connect(the, ask) {
    const clientId = await registered(the, "badgateway");
    const client = new Badgateway({ clientId, discoveryEndpoint: discoveryAddress(the) });
    const codeVerifier = await generateCodeVerifier();
    const state = random();
    const address = await client.authorizationCode.getAuthorizeUri({
      redirectUri: CALLBACK,
      state,
      codeVerifier,
      scope: SCOPE.split(" "),
    });
    const back = await ask(new URL(address));
    codeIn(the, back, state);
    const wanted = { redirectUri: CALLBACK, state, codeVerifier };
    const held = (token: OAuth2Token): Pair => ({
      access: token.accessToken,
      refresh: token.refreshToken ?? "",
    });
    const holding = (accessToken: string, refreshToken = ""): OAuth2Token => ({
      accessToken,
      refreshToken,
      expiresAt: null,
    });
    return {
      ...held(await client.authorizationCode.getTokenFromCodeRedirect(back, wanted)),
      renew: async (refresh) => held(await client.refreshToken(holding("", refresh))),
      isActive: async (token) => (await client.introspect(holding(token))).active,
      end: async (token) => await client.revoke(holding(token), "access_token"),
    };
  },
};

/** Supports neither discovery nor PKCE nor public clients: it sends an empty client_secret, which counts as none. */
export const simpleOauth2: ClientLibrary = {
  name: "simple-oauth2",
  async connect(the, ask) {
    const at = await addresses(the);
    const path = (name: string): string => new URL(at[name] ?? "").pathname;
    const client = new AuthorizationCode({
      client: { id: await registered(the, "simple-oauth2"), secret: "" },
      auth: {
        tokenHost: the.authUrl,
        tokenPath: path("token_endpoint"),
        revokePath: path("revocation_endpoint"),
        authorizePath: path("authorization_endpoint"),
      },
      options: { authorizationMethod: "body" },
    });
    const verifier = random();
    const state = random();
    const pkce = { code_challenge: challengeOf(verifier), code_challenge_method: "S256" };
    const address = client.authorizeURL({ redirect_uri: CALLBACK, scope: SCOPE, state, ...pkce });
    const code = codeIn(the, await ask(new URL(address)), state);
    const held = ({ token }: AccessToken): Pair => ({
      access: String(token.access_token),
      refresh: String(token.refresh_token),
    });
    const exchange = { code, redirect_uri: CALLBACK, code_verifier: verifier };
    return {
      ...held(await client.getToken(exchange)),
      renew: async (refresh) => held(await client.createToken({ refresh_token: refresh }).refresh()),
      end: async (token) => await client.createToken({ access_token: token }).revoke("access_token"),
    };
  },
};

/** Builds PKCE requests for given URLs; the application compares state and iss. */
export const arctic: ClientLibrary = {
  name: "arctic",
  async connect(the, ask) {
    const at = await addresses(the);
    const token = at.token_endpoint ?? "";
    const client = new Arctic(await registered(the, "arctic"), null, CALLBACK);
    const [state, verifier] = [random(), random()];
    const scopes = SCOPE.split(" ");
    const address = client.createAuthorizationURLWithPKCE(
      at.authorization_endpoint ?? "",
      state,
      CodeChallengeMethod.S256,
      verifier,
      scopes,
    );
    const code = codeIn(the, await ask(address), state);
    const held = (tokens: OAuth2Tokens): Pair => ({
      access: tokens.accessToken(),
      refresh: tokens.refreshToken(),
    });
    return {
      ...held(await client.validateAuthorizationCode(token, code, verifier)),
      renew: async (refresh) => held(await client.refreshAccessToken(token, refresh, scopes)),
      end: async (gone) => await client.revokeToken(at.revocation_endpoint ?? "", gone),
    };
  },
};
