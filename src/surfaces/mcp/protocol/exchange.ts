import type { FastifyRequest } from "fastify";
import type { Service } from "../../../domain/operation/service/service.ts";
import type { TokenCaller } from "./bearer.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Channel } from "./channel.ts";

/** What answering needs of a request; Fastify's is one, and whoever serves the dispatcher without it makes another. */
export type Asked = Pick<FastifyRequest, "id" | "method" | "headers" | "body" | "raw" | "log">;

/** One HTTP request to the server: who calls, what is offered, and what answering needs. */
export interface Exchange {
  service: Service;
  request: Asked;
  caller: TokenCaller;
  catalogue: Catalogue;
  /** Where the answer may become a stream: what carries messages before the result. */
  channel?: Channel;
  /** Whether the message speaks 2026-07-28. */
  modern: boolean;
}
