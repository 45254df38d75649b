import type { Readable } from "node:stream";

/** A route's response. A string or bytes are sent unchanged, as `type` (JSON by default). */
export interface Reply {
  status: number;
  body?: string | Buffer | Readable | object | undefined;
  type?: string;
  headers?: Record<string, string | string[]>;
  /** Whether it may be compressed, if that is not as for the other answers of its surface. */
  compress?: boolean;
}

export const ok = (body: string | object): Reply => ({ status: 200, body });
