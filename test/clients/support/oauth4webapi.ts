import * as oauth from "oauth4webapi";
import { CALLBACK, type ClientLibrary, discoveryAddress, type Pair, SCOPE } from "./connection.ts";

const HTTP = { [oauth.allowInsecureRequests]: true };

const pairOf = (tokens: oauth.TokenEndpointResponse): Pair => ({
  access: tokens.access_token,
  refresh: tokens.refresh_token ?? "",
});

/** oauth4webapi reads the metadata from either URL and checks its issuer. */
export const oauth4webapi = (discovers: "by issuer" | "by address"): ClientLibrary => ({
  name: `oauth4webapi, ${discovers}`,
  async connect(the, ask) {
    const issuer = new URL(the.authUrl);
    const document = await (discovers === "by issuer"
      ? oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...HTTP })
      : fetch(discoveryAddress(the)));
    const server = await oauth.processDiscoveryResponse(issuer, document);
    const client = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(
        server,
        { client_name: "oauth4webapi", redirect_uris: [CALLBACK] },
        HTTP,
      ),
    );
    const none = oauth.None();
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const address = new URL(server.authorization_endpoint ?? "");
    address.search = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: CALLBACK,
      response_type: "code",
      scope: SCOPE,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
    }).toString();
    const back = oauth.validateAuthResponse(server, client, await ask(address), state);
    const tokens = await oauth.processAuthorizationCodeResponse(
      server,
      client,
      await oauth.authorizationCodeGrantRequest(server, client, none, back, CALLBACK, verifier, HTTP),
    );
    return {
      ...pairOf(tokens),
      async renew(refresh) {
        const answer = await oauth.refreshTokenGrantRequest(server, client, none, refresh, HTTP);
        return pairOf(await oauth.processRefreshTokenResponse(server, client, answer));
      },
      async isActive(token) {
        const answer = await oauth.introspectionRequest(server, client, none, token, HTTP);
        return (await oauth.processIntrospectionResponse(server, client, answer)).active;
      },
      async end(token) {
        const answer = await oauth.revocationRequest(server, client, none, token, HTTP);
        await oauth.processRevocationResponse(answer);
      },
    };
  },
});
