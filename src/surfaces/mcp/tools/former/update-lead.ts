import { Type } from "typebox";
import { updateLead } from "../../../../domain/leads/write/update-lead.ts";
import { Clear, LeadFields, patchFaults, patchPath, toPatch } from "../leads/lead-fields.ts";
import { tool } from "../shared/tool.ts";
import { ExpectedVersion, exactly, LeadId } from "../shared/words.ts";
import { writtenAnswer, writtenSchema } from "./written-lead.ts";

export const updateLeadTool = tool({
  name: "update_lead",
  title: "Change a lead",
  description:
    "Sets or clears fields of one lead; all others stay unchanged. Each change is recorded on the timeline with " +
    "the old value. With expected_version the call fails if the lead has changed since it was read.",
  input: exactly({
    id: LeadId,
    expected_version: ExpectedVersion,
    set: Type.Optional(LeadFields),
    clear: Type.Optional(Clear),
    reason: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, description: "Why do_not_contact changes." }),
    ),
  }),
  output: writtenSchema(),
  operation: updateLead,
  destructive: true,
  idempotent: true,
  check: patchFaults,
  path: (path, args) =>
    path === "$.id" || path === "$.reason" ? path : patchPath(path.replace(/^\$(?=\.)/, "$.set"), args),
  toInput: ({ id, expected_version: version, reason, ...patch }) => ({
    id,
    ...(reason === undefined ? {} : { reason }),
    lead: toPatch(patch),
    ...(version === undefined ? {} : { version }),
  }),
  toAnswer: writtenAnswer,
});
