import { Type } from "typebox";
import { createLeadOnce } from "../../../../domain/leads/write/create-lead-once.ts";
import { LeadFields } from "../leads/lead-fields.ts";
import { tool } from "../shared/tool.ts";
import { exactly, maybe, oneOf } from "../shared/words.ts";
import { writtenAnswer, writtenSchema } from "./written-lead.ts";

/** Leads that were written, or only that the call was accepted. */
const { outcome, lead, ...rest } = writtenSchema().properties;
const createdSchema = Type.Object({
  outcome: maybe(outcome),
  lead: maybe(lead),
  accepted: maybe(Type.Boolean({ description: "Instead of outcome and lead, without the scope mcp:read." })),
  ...rest,
});

export const createLeadTool = tool({
  name: "create_lead",
  title: "Create a lead",
  description:
    "Creates a lead. If a lead already has the same external id, e-mail or phone, on_duplicate decides: the call " +
    "fails and names it (fail), returns it unchanged (return), or sets the given fields on it (update). Of concurrent " +
    "calls, one creates the lead. Without the scope mcp:read, fail and return only answer accepted: the lead was " +
    "created, or it was there and is unchanged.",
  input: exactly({
    lead: LeadFields,
    on_duplicate: Type.Optional(
      oneOf(["fail", "return", "update"], "What to do if the lead already exists; default fail."),
    ),
  }),
  output: createdSchema,
  operation: createLeadOnce,
  destructive: true,
  idempotent: false,
  toInput: ({ lead, on_duplicate = "fail" }) => ({ lead, on_duplicate }),
  toAnswer: (written) =>
    written === null ? { accepted: true, truncated: false, untrusted_content: [] } : writtenAnswer(written),
});
