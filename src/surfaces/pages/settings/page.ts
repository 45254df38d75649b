import { manages } from "../../../core/permission.ts";
import { revokeConnections } from "../../../domain/grants/revoke-connections.ts";
import { perform } from "../../../domain/operation/operation.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import { changeProject } from "../../../domain/projects/change-project.ts";
import { deleteProject } from "../../../domain/projects/delete-project.ts";
import type { ProjectGlance } from "../../../domain/projects/describe-project.ts";
import type { ProjectSettings } from "../../../domain/tenancy/project-settings.ts";
import { listZones } from "../../../domain/tenancy/project-settings.ts";
import { type Html, html, seeOther } from "../../../http/response/html.ts";
import type { Reply } from "../../../http/response/reply.ts";
import type { Route } from "../../../http/route/route.ts";
import { framed } from "../shared/frame.ts";
import { doneLine, problemLine, type Refused, refusedForm, tokenField } from "../shared/parts.ts";
import { projectAt } from "../shared/project-at.ts";
import { ROLE_NAMES } from "../shared/role-words.ts";
import { fieldOf, formOfVisitor, type Visitor, visitorOf } from "../shared/signed-in.ts";
import { CONNECTING, connectingForm } from "./connecting-form.ts";
import { EXPORTING, exportForm } from "./export-form.ts";
import { leadCount, projectForm, settingsLinks } from "./parts.ts";
import { placeDetails } from "./place.ts";
import { SHARING, sharedForm } from "./shared-form.ts";
import { PROJECT_FORM_WORDS, PROJECT_WORDS } from "./words.ts";

const ADDRESS = "/projects/:project/settings";

/** The outcome of a form of the page. */
interface Outcome {
  done?: boolean;
  change?: Refused & { filled: ProjectSettings };
  connecting?: Refused;
  exporting?: Refused;
  sharing?: Refused;
  deletion?: Refused;
}

/** A project's settings: name and region, links to keys, members and log, and, for owners, its deletion. */
export const projectSettingsRoutes: Route[] = [
  {
    method: "GET",
    url: ADDRESS,
    async handle(service, request) {
      const visitor = await visitorOf(service, request);
      const project = await projectAt(service, request, visitor);
      const { done } = request.query as { done?: unknown };
      return await show(service, visitor, project, { done: done === "changed" });
    },
  },
  {
    method: "POST",
    url: ADDRESS,
    async handle(service, request) {
      const visitor = await formOfVisitor(service, request);
      const project = await projectAt(service, request, visitor);
      const filled = {
        name: fieldOf(visitor.form, "name"),
        timezone: fieldOf(visitor.form, "timezone"),
        country: fieldOf(visitor.form, "country"),
        currency: fieldOf(visitor.form, "currency"),
      };
      try {
        const at = { personId: visitor.person.id, projectId: project.id };
        await perform(service, changeProject, at, filled);
        return seeOther(`/projects/${project.id}/settings?done=changed`);
      } catch (error) {
        const change = { ...refusedForm(visitor.locale, error), filled };
        return await show(service, visitor, project, { change });
      }
    },
  },
  {
    method: "POST",
    url: `${ADDRESS}/connecting`,
    async handle(service, request) {
      const visitor = await formOfVisitor(service, request);
      const project = await projectAt(service, request, visitor);
      try {
        const at = { personId: visitor.person.id, projectId: project.id };
        await perform(service, changeProject, at, { connectRoles: visitor.form.get("role") ?? [] });
        // after the change: from then on, these roles connect nothing that would be missed here
        if (fieldOf(visitor.form, "revoke") === "others")
          await perform(service, revokeConnections, at, { others: true });
        return seeOther(`/projects/${project.id}/settings?done=changed`);
      } catch (error) {
        const connecting = refusedForm(visitor.locale, error);
        return await show(service, visitor, project, { connecting });
      }
    },
  },
  {
    method: "POST",
    url: `${ADDRESS}/export`,
    async handle(service, request) {
      const visitor = await formOfVisitor(service, request);
      const project = await projectAt(service, request, visitor);
      try {
        const at = { personId: visitor.person.id, projectId: project.id };
        const viewersExport = fieldOf(visitor.form, "viewers") === "yes";
        await perform(service, changeProject, at, { viewersExport });
        return seeOther(`/projects/${project.id}/settings?done=changed`);
      } catch (error) {
        return await show(service, visitor, project, { exporting: refusedForm(visitor.locale, error) });
      }
    },
  },
  {
    method: "POST",
    url: `${ADDRESS}/shared-addresses`,
    async handle(service, request) {
      const visitor = await formOfVisitor(service, request);
      const project = await projectAt(service, request, visitor);
      try {
        const at = { personId: visitor.person.id, projectId: project.id };
        const refusesShared = fieldOf(visitor.form, "refuse") === "yes";
        await perform(service, changeProject, at, { refusesShared });
        return seeOther(`/projects/${project.id}/settings?done=changed`);
      } catch (error) {
        return await show(service, visitor, project, { sharing: refusedForm(visitor.locale, error) });
      }
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
        const at = { personId: visitor.person.id, projectId: project.id };
        await perform(service, deleteProject, at, { typed });
        return seeOther("/");
      } catch (error) {
        const deletion = refusedForm(visitor.locale, error);
        return await show(service, visitor, project, { deletion });
      }
    },
  },
];

async function show(
  service: Service,
  visitor: Visitor,
  project: ProjectGlance,
  { done, change, connecting, exporting, sharing, deletion }: Outcome,
): Promise<Reply> {
  const words = PROJECT_WORDS[visitor.locale];
  if (!manages(project.role)) {
    const details = html`<h1>${words.settings}</h1>
<dl class="facts"><dt>${PROJECT_FORM_WORDS[visitor.locale].name}</dt><dd><bdi>${project.name}</bdi></dd>
${placeDetails(visitor.locale, project)}
<dt>${CONNECTING[visitor.locale].mayConnect}</dt><dd>${project.connectRoles.map((role) => ROLE_NAMES[visitor.locale][role]).join(", ")}</dd></dl>
${!project.viewersExport && html`<p>${EXPORTING[visitor.locale].mayNot}</p>`}
${project.refusesShared && html`<p>${SHARING[visitor.locale].refused}</p>`}
<p><a href="/projects/${project.id}/settings/do-not-contact">${words.suppressions}</a> <span class="quiet">${words.suppressionsFor}</span></p>`;
    return framed(visitor, words.settings, details);
  }
  const zones = await listZones(service.db);
  const body = html`<h1>${words.settings}</h1>
${doneLine(done === true ? PROJECT_FORM_WORDS[visitor.locale].done : undefined)}
${settingsLinks(visitor.locale, project)}
${projectForm(visitor, { projectId: project.id, settings: change?.filled ?? project, zones, again: change })}
${connectingForm(visitor, project, connecting)}
${exportForm(visitor, project, exporting)}
${sharedForm(visitor, project, sharing)}
${project.role === "owner" ? ending(visitor, project, deletion) : ""}`;
  const again = change ?? connecting ?? exporting ?? sharing ?? deletion;
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
