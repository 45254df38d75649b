import type { Exchange } from "../protocol/exchange.ts";

/** Handles one method; returns its result as JSON, as bytes if it was serialized before. */
export type Method = (exchange: Exchange, params: Record<string, unknown>) => Promise<string | Buffer>;
