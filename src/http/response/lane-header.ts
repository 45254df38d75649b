import type { FastifyRequest } from "fastify";

/** Requests that used the slow lane. */
const slow = new WeakSet<FastifyRequest>();

/** Returns a function to call when the request uses the slow lane. */
export const keepLane = (request: FastifyRequest) => (): void => void slow.add(request);

/** Returns the header of a request that used the slow lane. */
export const laneHeader = (request: FastifyRequest): Record<string, string> =>
  slow.has(request) ? { "X-Leadgate-Lane": "slow" } : {};
