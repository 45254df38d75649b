import { perform } from "../../../domain/operation/operation.ts";
import { LEADS_COUNTED, readProjectCard } from "../../../domain/projects/read-project-card.ts";
import type { Resource } from "../protocol/registry.ts";
import { asJson, JSON_TYPE } from "./json.ts";

export const projectResource: Resource = {
  uri: "leads://project",
  name: "project",
  title: "The project",
  description: "The project of these leads, and who granted which access. get_context has its local date.",
  mimeType: JSON_TYPE,
  needs: "leads:read",
  checksItself: true,
  async read({ service, caller }) {
    // Without the current time, which subscribers would see as a change at every read.
    const { now: _, today: __, ...card } = await perform(service, readProjectCard, caller, {});
    return asJson({ ...card, leads_counted_up_to: LEADS_COUNTED, untrusted_content: ["project", "person"] });
  },
};
