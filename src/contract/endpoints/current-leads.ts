import { Type } from "typebox";
import { IdInPath } from "../nouns/basics.ts";
import { IncludeParameter, Lead } from "../nouns/lead.ts";
import { endpoint, json } from "./endpoint.ts";

export const getLead = endpoint({
  id: "current.leads.get",
  method: "GET",
  url: "/api/leads/{id}/",
  tag: "current",
  summary: "Read a lead",
  description: "One lead with all its fields. A lead of another project is 404, and so is a deleted one.",
  refusals: "current",
  needs: "leads:read",
  params: IdInPath,
  query: Type.Object({ include: Type.Optional(IncludeParameter) }),
  answers: { 200: json(Lead, "The lead.") },
  refused: [404],
});
