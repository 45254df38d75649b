/** Codes of JSON-RPC 2.0 (5.1) and of MCP 2026-07-28. */
export const CODE = {
  notJson: -32_700,
  badRequest: -32_600,
  noMethod: -32_601,
  badParams: -32_602,
  internal: -32_603,
  refused: -32_000,
  /** MCP 2025-11-25 and before; since then it is `badParams`. */
  noResource: -32_002,
  headerMismatch: -32_020,
  missingCapability: -32_021,
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

/** A method's parameters are wrong: an answer to the message, in HTTP's 200. */
export const badParams = (why: string, data?: object): RpcError =>
  new RpcError(CODE.badParams, `Invalid params: ${why}.`, {
    status: 200,
    ...(data === undefined ? {} : { data }),
  });
