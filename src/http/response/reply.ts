import type { Readable } from "node:stream";

/** A route's response. A string or bytes are sent unchanged, as `type` (JSON by default). */
export interface Reply {
  status: number;
  body?: string | Buffer | Readable | object | undefined;
  type?: string;
  headers?: Record<string, string | string[]>;
}

export const ok = (body: string | object): Reply => ({ status: 200, body });
