import { Refusal } from "../../../core/refusal.ts";
import { chooseNext } from "../../../domain/grants/last-choice.ts";
import { perform } from "../../../domain/operation/operation.ts";
import { ensureProject } from "../../../domain/projects/create-project.ts";
import type { Route } from "../../../http/route/route.ts";
import { consentPage } from "./consent-page.ts";
import { backTo, personForm } from "./person-form.ts";

/** Creates a project from the consent page and returns to the same request with the project selected. */
export const newProject: Route = {
  method: "POST",
  url: "/oauth/new-project",
  bodyLimit: 64 * 1_024,
  async handle(service, request) {
    const sent = await personForm(service, request, "project");
    if ("status" in sent) return sent;
    const { asked } = sent.about;
    try {
      const name = sent.form.one("project_name") ?? "";
      const input = { name, languages: request.headers["accept-language"] };
      const projectId = await perform(service, ensureProject, sent.about, input);
      await perform(service, chooseNext, sent.about, { clientId: asked.client.id, projectId });
      return backTo(asked);
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== "malformed") throw error;
      return await consentPage(service, { ...sent.about, fault: error });
    }
  },
};
