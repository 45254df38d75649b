import { Type } from "typebox";
import { outside } from "./outside-text.ts";
import { fitRecord } from "./size.ts";
import { maybe, open, text, whole } from "./words.ts";

/** A lead in an answer: the fields that have a value. */
export const LeadRecord = Type.Object(
  {
    id: text("The lead's id, such as lead_01k3…"),
    name: maybe(text("Full name.")),
    email: maybe(text("Main e-mail address.")),
    phone: maybe(text("Main phone number as entered; phone_e164 is its international form.")),
    company: maybe(text("Company.")),
    job_title: maybe(text("Job title.")),
    status: maybe(text("One of the project's statuses.")),
    source: maybe(text("Where the lead came from.")),
    score: maybe(Type.Number({ description: "The lead's score." })),
    value: maybe(Type.Number({ description: "The lead's value, in its currency." })),
    owner_id: maybe(text("The member who owns the lead; get_context lists the members.")),
    tags: maybe(Type.Array(Type.String(), { description: "Tags." })),
    custom: maybe(open("Custom fields by key.")),
    version: maybe(whole("Version number; expected_version of a change.")),
    created_at: maybe(text("ISO 8601 with offset.")),
    updated_at: maybe(text("ISO 8601 with offset.")),
    omitted_fields: maybe(
      Type.Array(Type.String(), { description: "Fields omitted because the record is very large." }),
    ),
  },
  { description: "A lead. Fields without a value are omitted; there may be more fields than these." },
);

/** Returns a lead's record prepared for an assistant; `cut` if something long is missing. */
export function leadRecord(lead: unknown, most: number): { lead: object; cut: boolean } {
  const { record, cut, omitted } = fitRecord(outside(lead) as Record<string, unknown>, most);
  return { lead: omitted.length === 0 ? record : { ...record, omitted_fields: omitted }, cut };
}
