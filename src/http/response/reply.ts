import type { Readable } from "node:stream";

/** What a route answers. A body of text or bytes is sent as it is, under `type` (JSON unless said otherwise). */
export interface Reply {
  status: number;
  body?: string | Buffer | Readable | object | undefined;
  type?: string;
  headers?: Record<string, string | string[]>;
}

export const ok = (body: string | object): Reply => ({ status: 200, body });
