import { createHash } from "node:crypto";

/** The size of a tool list, and a hash that changes with any word of it. */
export interface ToolList {
  hash: string;
  tools: number;
  /** What the server sends. */
  bytes: number;
  /** What a host gives to a model: names, descriptions and input schemas. */
  tokens: number;
}

/**
 * An estimate, as tokenizers differ: a token for four bytes, which is what English text and JSON come to with the
 * tokenizers of large models.
 */
export const tokensOf = (bytes: number): number => Math.ceil(bytes / 4);

interface Listed {
  name: string;
  description?: string;
  inputSchema: unknown;
}

/** Reads the tool list as the MCP server of a job gives it. */
export async function readToolList(url: string, token: string): Promise<ToolList> {
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }),
  });
  const { result } = (await answer.json()) as { result: { tools: Listed[] } };
  const sent = JSON.stringify(result.tools);
  const seen = JSON.stringify(
    result.tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
  );
  return {
    hash: createHash("sha256").update(sent).digest("hex").slice(0, 12),
    tools: result.tools.length,
    bytes: Buffer.byteLength(sent),
    tokens: tokensOf(Buffer.byteLength(seen)),
  };
}
