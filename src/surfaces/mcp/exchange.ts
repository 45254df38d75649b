import type { FastifyRequest } from "fastify";
import type { Service } from "../../domain/service.ts";
import type { TokenCaller } from "./bearer.ts";

/** One HTTP request to the server: who calls, and what answering needs. */
export interface Exchange {
  service: Service;
  request: FastifyRequest;
  caller: TokenCaller;
}
