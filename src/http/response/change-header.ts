import type { FastifyRequest } from "fastify";

/** A change that a request began, and whether it wrote anything. */
interface Begun {
  id: string;
  made: boolean;
}

declare module "fastify" {
  interface FastifyRequest {
    /** The changes that the request began, for a header of its response. */
    changes: Begun[] | null;
  }
}

/** Starts to collect the changes that a request makes. */
export function keepChanges(request: FastifyRequest): Begun[] {
  const changes: Begun[] = [];
  request.changes = changes;
  return changes;
}

/** Returns the header with the id of the change that the request made, if it wrote anything. */
export function changeHeader(request: FastifyRequest): Record<string, string> {
  const made = request.changes?.find((change) => change.made);
  return made === undefined ? {} : { "X-Leadgate-Change": made.id };
}
