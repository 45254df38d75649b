import type { FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    /** Whether the request used the slow lane. */
    wasSlow: boolean;
  }
}

/** Returns a function to call when the request uses the slow lane. */
export const keepLane = (request: FastifyRequest) => (): void => {
  request.wasSlow = true;
};

/** Returns the header of a request that used the slow lane. */
export const laneHeader = (request: FastifyRequest): Record<string, string> =>
  request.wasSlow ? { "X-Leadgate-Lane": "slow" } : {};
