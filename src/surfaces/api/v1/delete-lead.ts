import { Type } from "typebox";
import { deleteLead } from "../../../domain/leads/write/delete-lead.ts";
import { eraseLead } from "../../../domain/leads/write/erase-lead.ts";
import { apiKey } from "../../../http/request/api-key.ts";
import type { Reply } from "../../../http/response/reply.ts";
import { type Described, operationRoute, routeByUrl } from "../../../http/route/route.ts";
import { refusals } from "../shared/described.ts";
import { pathOf, queryOf, versionFrom } from "../shared/input.ts";

const method = "DELETE";
const url = "/api/v1/leads/:id";
const reply = (): Reply => ({ status: 204 });

const describe: Described = {
  summary: "Delete a lead",
  description:
    "It can be restored; a second time it is 404. With erase=true it is gone for good with its timeline and what was " +
    "merged into it: for keys that a present owner of the project made.",
  tags: ["leads"],
  bearer: true,
  params: Type.Object({ id: Type.String() }),
  query: Type.Object({ erase: Type.Optional(Type.Boolean()) }),
  answers: { 204: Type.Null(), ...refusals(404, 409, 412) },
};

const deleting = operationRoute({
  method,
  url,
  describe,
  caller: apiKey,
  input(request, caller) {
    queryOf(request, caller, { erase: "boolean" });
    return { id: pathOf(request, "id"), ...versionFrom(request, undefined) };
  },
  operation: deleteLead,
  reply,
});

const erasing = operationRoute({
  method,
  url,
  describe,
  caller: apiKey,
  input(request, caller) {
    queryOf(request, caller, { erase: "boolean" });
    return { id: pathOf(request, "id") };
  },
  operation: eraseLead,
  reply,
});

/** `DELETE /api/v1/leads/{id}`: one address for being deleted and, with `erase=true`, being erased. */
export const deleteLeadRoute = routeByUrl(deleting, /[?&]erase=true(&|$)/, erasing);
