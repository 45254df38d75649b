import { Type } from "typebox";
import { createLeadOnce } from "../../../../domain/leads/write/create-lead-once.ts";
import { tool } from "../shared/tool.ts";
import { exactly, oneOf } from "../shared/words.ts";
import { LeadFields } from "./lead-fields.ts";
import { writtenAnswer, writtenSchema } from "./written-lead.ts";

export const createLeadTool = tool({
  name: "create_lead",
  title: "Create a lead",
  description:
    "Creates a lead. If a lead already has the same external id, e-mail or phone, on_duplicate decides: the call " +
    "fails and names it (fail), returns it unchanged (return), or sets the given fields on it (update). Of concurrent " +
    "calls, one creates the lead.",
  input: exactly({
    lead: LeadFields,
    on_duplicate: Type.Optional(
      oneOf(["fail", "return", "update"], "What to do if the lead already exists; default fail."),
    ),
  }),
  output: writtenSchema(),
  operation: createLeadOnce,
  destructive: true,
  idempotent: false,
  toInput: ({ lead, on_duplicate = "fail" }) => ({ lead, on_duplicate }),
  toAnswer: writtenAnswer,
});
