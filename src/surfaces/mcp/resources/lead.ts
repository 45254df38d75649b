import { getLead } from "../../../domain/leads/read/get-lead.ts";
import { perform } from "../../../domain/operation/operation.ts";
import type { ResourceTemplate } from "../protocol/registry.ts";
import { becameAnother } from "./became-another.ts";
import { completeLead } from "./complete-lead.ts";
import { JSON_TYPE, recordJson, unlessMissing } from "./json.ts";
import { uriReader } from "./uri.ts";

export const leadResource: ResourceTemplate = {
  uriTemplate: "leads://leads/{lead_id}",
  name: "lead",
  title: "A lead",
  description: "One lead with all its fields. A merged lead names the lead it was merged into.",
  mimeType: JSON_TYPE,
  needs: "leads:read",
  checksItself: true,
  match: uriReader("leads://leads/{lead_id}"),
  leadOf: ({ lead_id: id }) => id,
  async read({ service, caller }, { lead_id: id = "" }) {
    const read = perform(service, getLead, caller, { id })
      .then((json) => recordJson("lead", JSON.parse(json), { timeline: `leads://leads/${id}/timeline` }))
      .catch((error) => becameAnother(error));
    return await unlessMissing(read);
  },
  complete: async (call, _variable, typed) => await completeLead(call, typed),
};
