import { addressIn, HOME } from "../../../core/navigation.ts";
import { perform } from "../../../domain/operation/operation.ts";
import { createProject } from "../../../domain/projects/create-project.ts";
import { seeOther } from "../../../http/response/html.ts";
import type { Route } from "../../../http/route/route.ts";
import { refusedForm } from "../shared/parts.ts";
import { projectAt } from "../shared/project-at.ts";
import { fieldOf, formOfVisitor, visitorOf } from "../shared/signed-in.ts";
import { projectsPage } from "./parts.ts";

/** Creates a project, and redirects from a project's URL to its first screen. */
export const projectRoutes: Route[] = [
  {
    method: "POST",
    url: "/projects",
    async handle(service, request) {
      const visitor = await formOfVisitor(service, request);
      const name = fieldOf(visitor.form, "name");
      try {
        const input = { name, languages: request.headers["accept-language"] };
        const { id } = await perform(service, createProject, visitor, input);
        return seeOther(`/projects/${id}`);
      } catch (error) {
        return await projectsPage(service, visitor, { ...refusedForm(visitor.locale, error), name });
      }
    },
  },
  {
    method: "GET",
    url: "/projects/:project",
    async handle(service, request) {
      const { id } = await projectAt(service, request, await visitorOf(service, request));
      return seeOther(addressIn(id, HOME));
    },
  },
];
