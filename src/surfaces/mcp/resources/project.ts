import { perform } from "../../../domain/operation.ts";
import { readProjectCard } from "../../../domain/projects/read-project-card.ts";
import type { Resource } from "../registry.ts";
import { asJson, JSON_TYPE } from "./json.ts";

export const projectResource: Resource = {
  uri: "leads://project",
  name: "project",
  title: "The project",
  description:
    "The project whose leads these are, who granted access and for what, and what day it is there.",
  mimeType: JSON_TYPE,
  needs: "leads:read",
  checksItself: true,
  async read({ service, caller }) {
    const card = await perform(service, readProjectCard, caller, {});
    return asJson({ ...card, leads_counted_up_to: 10_000, untrusted_content: ["project", "person"] });
  },
};
