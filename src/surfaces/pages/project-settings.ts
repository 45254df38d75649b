import { manages } from "../../core/permission.ts";
import { Refusal } from "../../core/refusal.ts";
import { deleteProject } from "../../domain/projects/delete-project.ts";
import type { ProjectGlance } from "../../domain/projects/describe-project.ts";
import { type Html, html, seeOther } from "../../http/html.ts";
import type { Reply } from "../../http/reply.ts";
import type { Route } from "../../http/route.ts";
import { framed } from "./frame.ts";
import { problemLine, type Refused, refusedForm, tokenField } from "./parts.ts";
import { leadCount, projectAt, settingsLinks } from "./project.ts";
import { PROJECT_WORDS } from "./project-words.ts";
import { fieldOf, formOfVisitor, type Visitor, visitorOf } from "./signed-in.ts";

const ADDRESS = "/projects/:project/settings";

/** A project's settings: the ways to its keys, members and log; for owners, its end. */
export const projectSettingsRoutes: Route[] = [
  {
    method: "GET",
    url: ADDRESS,
    async handle(service, request) {
      const visitor = await visitorOf(service, request);
      return show(visitor, await projectAt(service, request, visitor));
    },
  },
  {
    method: "POST",
    url: `${ADDRESS}/delete`,
    async handle(service, request) {
      const visitor = await formOfVisitor(service, request);
      const project = await projectAt(service, request, visitor);
      const typed = fieldOf(visitor.form, "name");
      try {
        await deleteProject(service, { projectId: project.id, actor: visitor.person.id, typed });
        return seeOther("/");
      } catch (error) {
        return show(visitor, project, refusedForm(visitor.locale, error));
      }
    },
  },
];

function show(visitor: Visitor, project: ProjectGlance, again?: Refused): Reply {
  if (!manages(project.role)) {
    throw new Refusal("forbidden", "role", "Your role in this project does not allow it. Ask an owner.");
  }
  const words = PROJECT_WORDS[visitor.locale];
  const body = html`<h1>${words.settings}</h1>
${settingsLinks(visitor.locale, project)}
${project.role === "owner" ? ending(visitor, project, again) : ""}`;
  return framed(visitor, words.settings, body, again?.status, again?.headers);
}

function ending(visitor: Visitor, project: ProjectGlance, again: Refused | undefined): Html {
  const words = PROJECT_WORDS[visitor.locale];
  return html`<section aria-labelledby="end">
<h2 id="end">${words.deleteTitle}</h2>
<p>${words.deleteWhat} <span class="quiet">${words.leads}: ${leadCount(visitor.locale, project)}</span></p>
${problemLine(again?.problem)}
<form method="post" action="/projects/${project.id}/settings/delete">
${tokenField(visitor.token)}
<label>${words.deleteType} <strong><bdi>${project.name}</bdi></strong>
<input name="name" autocomplete="off" required></label>
<div class="actions"><button class="danger">${words.deleteButton}</button></div>
</form>
</section>`;
}
