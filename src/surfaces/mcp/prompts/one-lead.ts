import { Refusal } from "../../../core/refusal.ts";
import { getLead } from "../../../domain/leads/read/get-lead.ts";
import { perform } from "../../../domain/operation/operation.ts";
import { readTimeline } from "../../../domain/timeline/read-timeline.ts";
import { completeLead } from "../resources/complete-lead.ts";
import { fitting } from "../resources/json.ts";
import { fitRecord, RECORD_BYTES } from "../tools/shared/size.ts";
import { type Argument, type PromptRequest, wrong } from "./prompt.ts";

export const LEAD_ARGUMENT: Argument = {
  name: "lead_id",
  title: "Lead",
  description: "The lead's id, such as lead_01k3…; completion finds it by name, e-mail, phone or company.",
  required: true,
  complete: completeLead,
};

/** Returns the lead that the argument names and its recent events; refused if there is no such lead. */
export async function leadOf({
  call,
  args,
}: PromptRequest): Promise<{ lead: Record<string, unknown>; timeline: object }> {
  const { service, caller } = call;
  const id = args.lead_id?.trim() ?? "";
  try {
    const [lead, page] = await Promise.all([
      perform(service, getLead, caller, { id }),
      perform(service, readTimeline, caller, { id, limit: 30 }),
    ]);
    const record = JSON.parse(lead) as Record<string, unknown>;
    const { shown } = fitting(JSON.parse(page.json) as unknown[], { room: "x".repeat(RECORD_BYTES) });
    return {
      lead: fitRecord(record, RECORD_BYTES).record,
      timeline: { events: shown, total: page.total },
    };
  } catch (error) {
    if (error instanceof Refusal && error.kind === "not_found") throw wrong("lead_id", error.message);
    throw error;
  }
}
