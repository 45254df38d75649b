import { Type } from "typebox";
import { Refusal } from "../../../../core/refusal.ts";
import { deleteLead } from "../../../../domain/leads/write/delete-lead.ts";
import { updateLead } from "../../../../domain/leads/write/update-lead.ts";
import { perform } from "../../../../domain/operation/operation.ts";
import { type Call, Questions } from "../../protocol/registry.ts";
import { leadTitle } from "../shared/lead-link.ts";
import { composedTool } from "../shared/tool.ts";
import { ExpectedVersion, exactly, LeadId, maybe, oneOf, text } from "../shared/words.ts";

/**
 * The question's name includes the version that the person was asked about: their consent covers no other.
 */
const QUESTION = "delete_version_";

const Sure = {
  type: "object",
  properties: {
    confirm: {
      type: "boolean",
      title: "Delete the lead",
      description: "It can be restored.",
      default: false,
    },
  },
  required: ["confirm"],
};

/** Reads the lead with the write permission, then deletes it. */
export const deleteLeadTool = composedTool({
  name: "delete_lead",
  title: "Delete a lead",
  description:
    "Deletes one lead; it can be restored. The user is asked first if the client supports it; otherwise " +
    "the call needs confirm: true, which means that the user agreed to delete exactly this lead.",
  input: exactly({
    id: LeadId,
    expected_version: ExpectedVersion,
    confirm: Type.Optional(
      Type.Boolean({
        description: "Whether the user agreed; used only if the client cannot ask.",
      }),
    ),
  }),
  output: Type.Object({
    id: text("The lead's id."),
    deleted: Type.Boolean({ description: "Whether it was deleted." }),
    reason: maybe(oneOf(["declined", "cancelled"], "Why it was not deleted: the user's answer.")),
    restore: maybe(text("How to restore it.")),
  }),
  needs: "leads:write",
  destructive: true,
  idempotent: true,
  async run(call, { id, expected_version: expected, confirm = false }) {
    const asked = Object.keys(call.answers).find((name) => name.startsWith(QUESTION));
    const before = await lookAt(
      call,
      id,
      asked === undefined ? expected : Number(asked.slice(QUESTION.length)),
    );
    if (call.canAsk) {
      if (asked === undefined) return question(before);
      const { action, content } = call.answers[asked] ?? { action: "cancel" };
      if (action === "cancel") return { id, deleted: false, reason: "cancelled" };
      if (action !== "accept" || content?.confirm !== true) return { id, deleted: false, reason: "declined" };
    } else if (!confirm) throw notConfirmed(id);
    await perform(call.service, deleteLead, call.caller, { id, version: before.version });
    return { id, deleted: true, restore: restoring(call, id) };
  },
});

/**
 * Returns the lead, read by an update that changes nothing, which requires the write permission. Refused if
 * its version differs.
 */
async function lookAt({ service, caller }: Call, id: string, version: number | undefined) {
  const input = { id, lead: {}, ...(version === undefined ? {} : { version }) };
  const { json } = await perform(service, updateLead, caller, input);
  return JSON.parse(json) as { id: string; version: number };
}

const question = (lead: { version: number }): Questions =>
  new Questions({
    [`${QUESTION}${lead.version}`]: {
      message: `Delete this lead? ${JSON.stringify(leadTitle(lead))}`,
      schema: Sure,
    },
  });

const notConfirmed = (id: string): Refusal =>
  new Refusal("conflict", "not_confirmed", `Deleting ${id} needs the user's consent; nothing was deleted.`);

const restoring = ({ service, caller }: Call, id: string): string =>
  `In the panel at ${service.config.authUrl}/projects/${caller.projectId}/leads, or by ` +
  `POST ${service.config.baseUrl}/api/v1/leads/${id}/restore with an API key that may write leads.`;
