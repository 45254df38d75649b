/** Codes of JSON-RPC 2.0 (5.1) and of MCP 2026-07-28. */
export const CODE = {
  notJson: -32_700,
  badRequest: -32_600,
  noMethod: -32_601,
  badParams: -32_602,
  internal: -32_603,
  refused: -32_000,
  /** For MCP 2025-11-25 and earlier; later revisions use `badParams`. */
  noResource: -32_002,
  headerMismatch: -32_020,
  missingCapability: -32_021,
  unknownVersion: -32_022,
} as const;

/** A protocol error in response to a message; `status` is its HTTP status. */
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

/** Returns the error for invalid parameters of a method, sent with HTTP status 200. */
export const badParams = (why: string, data?: object): RpcError =>
  new RpcError(CODE.badParams, `Invalid params: ${why}.`, {
    status: 200,
    ...(data === undefined ? {} : { data }),
  });
