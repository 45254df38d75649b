import { Type } from "typebox";
import { getLead } from "../../../domain/leads/read/get-lead.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import { ok } from "../../../http/response/reply.ts";
import { operationRoute } from "../../../http/route/route.ts";
import { Lead, PROBLEMS, Problem } from "../shared/described.ts";
import { pathOf, queryOf } from "../shared/input.ts";
import { withSlash } from "../shared/with-slash.ts";

/** `GET /api/leads/{id}/`, with or without the trailing slash. */
export const getLeadRoutes = withSlash("/api/leads/:id", (url) =>
  operationRoute({
    method: "GET",
    url,
    describe: {
      summary: "Read a lead",
      description: "One lead with all its fields. A lead of another project is 404.",
      tags: ["leads"],
      bearer: true,
      params: Type.Object({ id: Type.String() }),
      query: Type.Object({
        include: Type.Optional(Type.String({ description: "datasets, datasets.<key>" })),
      }),
      answers: { 200: Lead, 404: Problem, ...PROBLEMS },
    },
    caller: apiKey,
    input: (request, caller) => ({
      ...queryOf(request, caller, { include: "list" }),
      id: pathOf(request, "id"),
    }),
    operation: getLead,
    reply: ok,
  }),
);
