import { Type } from "typebox";
import { outside } from "./outside-text.ts";
import { fitRecord } from "./size.ts";

/** A lead in an answer: the fields that have a value. */
export const LeadRecord = Type.Object(
  {
    id: Type.String(),
    name: Type.Optional(Type.String()),
    email: Type.Optional(Type.String()),
    phone: Type.Optional(Type.String()),
    company: Type.Optional(Type.String()),
    status: Type.Optional(Type.String()),
    source: Type.Optional(Type.String()),
    score: Type.Optional(Type.Number()),
    tags: Type.Optional(Type.Array(Type.String())),
    created_at: Type.Optional(Type.String({ description: "ISO 8601 with offset" })),
    omitted_fields: Type.Optional(
      Type.Array(Type.String(), { description: "Fields left out because the lead is very large." }),
    ),
  },
  { description: "Fields without a value are left out; custom fields stand under custom." },
);

/** A lead as the service gives it, made fit for an assistant; `cut` when something long is missing. */
export function leadRecord(lead: unknown, most: number): { lead: object; cut: boolean } {
  const { record, cut, omitted } = fitRecord(outside(lead) as Record<string, unknown>, most);
  return { lead: omitted.length === 0 ? record : { ...record, omitted_fields: omitted }, cut };
}
