import { Type } from "typebox";
import { getLead } from "../../domain/leads/get-lead.ts";
import { ok } from "../../http/reply.ts";
import { operationRoute, type Route } from "../../http/route.ts";
import { apiKey } from "./api-key.ts";
import { Lead, PROBLEMS, Problem } from "./described.ts";

/** `GET /api/leads/{id}/`, with or without the slash at its end. */
export const getLeadRoutes: readonly Route[] = ["/api/leads/:id/", "/api/leads/:id"].map((url) =>
  operationRoute({
    method: "GET",
    url,
    describe: {
      summary: "Read a lead",
      description: "One lead with all its fields. Another project's lead looks like one that does not exist.",
      tags: ["leads"],
      bearer: true,
      params: Type.Object({ id: Type.String() }),
      answers: { 200: Lead, 404: Problem, ...PROBLEMS },
    },
    caller: apiKey,
    input: (request) => ({ id: (request.params as { id: string }).id }),
    operation: getLead,
    reply: ok,
  }),
);
