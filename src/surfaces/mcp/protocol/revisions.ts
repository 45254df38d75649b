/** The stateless revision. */
export const MODERN = "2026-07-28";

/** Revisions that start with `initialize`, newest first. */
export const EARLIER = ["2025-11-25", "2025-06-18", "2025-03-26"] as const;

export const REVISIONS: readonly string[] = [MODERN, ...EARLIER];

/** The only revision with JSON-RPC batches, assumed for clients that send no version header. */
export const BATCHING = "2025-03-26";

export const isEarlier = (version: string): boolean => (EARLIER as readonly string[]).includes(version);

/** Keys of `_meta` in the stateless revision. */
export const META = {
  version: "io.modelcontextprotocol/protocolVersion",
  capabilities: "io.modelcontextprotocol/clientCapabilities",
  server: "io.modelcontextprotocol/serverInfo",
  subscription: "io.modelcontextprotocol/subscriptionId",
} as const;
