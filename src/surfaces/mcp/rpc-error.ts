/** Codes of JSON-RPC 2.0 (5.1) and of MCP 2026-07-28. */
export const CODE = {
  notJson: -32_700,
  badRequest: -32_600,
  noMethod: -32_601,
  badParams: -32_602,
  internal: -32_603,
  refused: -32_000,
  headerMismatch: -32_020,
  unknownVersion: -32_022,
} as const;

/** An answer of the protocol itself to a message that cannot be carried out; `status` is its HTTP status. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  readonly status: number;
  readonly data: object | undefined;

  constructor(code: number, message: string, more: { status?: number; data?: object } = {}) {
    super(message);
    this.code = code;
    this.status = more.status ?? 400;
    this.data = more.data;
  }
}

/** A JSON-RPC error response; an id of null for a message that could not be read (JSON-RPC 2.0, 5). */
export function errorBody(error: RpcError, id: string | number | null): object {
  const { code, message, data } = error;
  return { jsonrpc: "2.0", id, error: { code, message, ...(data === undefined ? {} : { data }) } };
}
