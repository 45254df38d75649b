import type { FastifyRequest } from "fastify";
import type { Service } from "../../../domain/operation/service/service.ts";
import type { TokenCaller } from "./bearer.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Channel } from "./channel.ts";

/**
 * What answering needs of a request: Fastify's, or an equivalent if the dispatcher is served without Fastify.
 */
export type Asked = Pick<FastifyRequest, "id" | "method" | "headers" | "body" | "raw" | "log">;

/** One HTTP request to the server: the caller, the registry, and what answering needs. */
export interface Exchange {
  service: Service;
  request: Asked;
  caller: TokenCaller;
  catalogue: Catalogue;
  /** Carries messages before the result, if the response may become a stream. */
  channel?: Channel;
  /** Whether the message is of revision 2026-07-28. */
  modern: boolean;
}
