import type { FastifyRequest } from "fastify";
import type { Service } from "../../../domain/operation/service/service.ts";
import type { TokenCaller } from "./bearer.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Channel } from "./channel.ts";
import type { ToolOffer } from "./tool-sets.ts";

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
  /** The tools that the caller's URL names, if it names any: only these are listed and can be called. */
  narrowed?: ToolOffer;
  /** Carries messages before the result, if the response may become a stream. */
  channel?: Channel;
  /** Whether the message is of revision 2026-07-28. */
  modern: boolean;
}
