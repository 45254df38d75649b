import { randomBytes } from "node:crypto";
import {
  Client as NewClient,
  StreamableHTTPClientTransport as NewTransport,
  auth as newAuth,
} from "@modelcontextprotocol/client";
import {
  auth,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
} from "@modelcontextprotocol/sdk/client/auth.js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { OAuthClientInformationMixed, OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { CALLBACK, type ClientLibrary, codeIn, type Pair } from "./connection.ts";

const WHO = { name: "test", version: "1" };

/** What an assistant stores between its connections. */
export class Notebook implements OAuthClientProvider {
  readonly redirectUrl = CALLBACK;
  readonly clientMetadata = { client_name: "An assistant", redirect_uris: [CALLBACK] };
  readonly wanted = randomBytes(16).toString("hex");
  address: URL | undefined;
  held: OAuthTokens | undefined;
  #client: OAuthClientInformationMixed | undefined;
  #discovered: OAuthDiscoveryState | undefined;
  #verifier = "";

  state = (): string => this.wanted;
  clientInformation = (): OAuthClientInformationMixed | undefined => this.#client;
  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.#client = client;
  }
  tokens = (): OAuthTokens | undefined => this.held;
  saveTokens(tokens: OAuthTokens): void {
    this.held = tokens;
  }
  discoveryState = (): OAuthDiscoveryState | undefined => this.#discovered;
  saveDiscoveryState(discovered: OAuthDiscoveryState): void {
    this.#discovered = discovered;
  }
  redirectToAuthorization(address: URL): void {
    this.address = address;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier = (): string => this.#verifier;
  invalidateCredentials(): void {
    this.held = undefined;
  }

  get pair(): Pair {
    return { access: this.held?.access_token ?? "", refresh: this.held?.refresh_token ?? "" };
  }
}

/** One of the two SDKs: how it connects, handles the redirect, and calls tools. */
interface Kit {
  name: string;
  connect(url: URL, notes: Notebook): Promise<void>;
  finish(url: URL, notes: Notebook, back: URL): Promise<void>;
  auth(url: URL, notes: Notebook): Promise<"AUTHORIZED" | "REDIRECT">;
}

const first: Kit = {
  name: "@modelcontextprotocol/sdk",
  async connect(url, notes) {
    const client = new Client(WHO);
    await client.connect(new StreamableHTTPClientTransport(url, { authProvider: notes }) as Transport);
    await client.listTools();
    await client.close();
  },
  finish: async (url, notes, back) =>
    await new StreamableHTTPClientTransport(url, { authProvider: notes }).finishAuth(
      back.searchParams.get("code") ?? "",
    ),
  auth: async (serverUrl, notes) => await auth(notes, { serverUrl }),
};

const second: Kit = {
  name: "@modelcontextprotocol/client",
  async connect(url, notes) {
    const client = new NewClient(WHO, { versionNegotiation: { mode: "auto" } });
    await client.connect(new NewTransport(url, { authProvider: notes }));
    await client.listTools();
    await client.close();
  },
  // It checks iss itself, against the discovered issuer.
  finish: async (url, notes, back) =>
    await new NewTransport(url, { authProvider: notes }).finishAuth(back.searchParams),
  auth: async (serverUrl, notes) => await newAuth(notes, { serverUrl }),
};

/** An assistant that knows only the URL of the MCP server and learns the rest from its 401. */
export const mcpClients: ClientLibrary[] = [first, second].map((kit) => ({
  name: kit.name,
  async connect(the, ask) {
    const url = new URL(`${the.authUrl}/mcp`);
    const notes = new Notebook();
    await kit.connect(url, notes).catch(() => undefined);
    if (notes.address === undefined) throw new Error("nobody was asked");
    const back = await ask(notes.address);
    if (kit === first || back.searchParams.has("error")) codeIn(the, back, notes.wanted);
    if (back.searchParams.get("state") !== notes.wanted) throw new Error("another state came back");
    await kit.finish(url, notes, back);
    await kit.connect(url, notes);
    const stored = notes.held;
    return {
      ...notes.pair,
      async renew(refresh) {
        if (stored !== undefined) notes.held = { ...stored, refresh_token: refresh };
        // After a refusal both SDKs drop their tokens and start another authorization.
        if ((await kit.auth(url, notes)) === "REDIRECT") throw new Error("invalid_grant: asked again");
        await kit.connect(url, notes);
        return notes.pair;
      },
    };
  },
}));
