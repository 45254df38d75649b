import type { Locale } from "../../../core/locale.ts";
import { manages, permissionsOfRole } from "../../../core/permission.ts";
import type { ProjectGlance } from "../../../domain/projects/describe-project.ts";
import { type Html, html } from "../../../http/response/html.ts";
import type { Route } from "../../../http/route/route.ts";
import { copyButton } from "../shared/copy.ts";
import { framed } from "../shared/frame.ts";
import { projectAt } from "../shared/project-at.ts";
import { ROLE_NAMES } from "../shared/role-words.ts";
import { visitorOf } from "../shared/signed-in.ts";
import { CONNECTING } from "./connecting-form.ts";
import { leadCount, settingsLinks } from "./parts.ts";
import { placeDetails } from "./place.ts";
import { PROJECT_WORDS } from "./words.ts";

/** `GET /projects/{project}/settings/overview`: a summary of a project, and how to send leads to it. */
export const overviewRoute: Route = {
  method: "GET",
  url: "/projects/:project/settings/overview",
  async handle(service, request) {
    const visitor = await visitorOf(service, request);
    const project = await projectAt(service, request, visitor);
    const words = PROJECT_WORDS[visitor.locale];
    const body = html`<h1><bdi>${project.name}</bdi></h1>
<dl class="facts">
<dt>${words.leads}</dt><dd>${leadCount(visitor.locale, project)}</dd>
<dt>${words.id}</dt><dd><code>${project.id}</code></dd>
${placeDetails(visitor.locale, project)}
<dt>${words.lastImport}</dt><dd>${lastImport(visitor.locale, project)}</dd>
<dt>${words.role}</dt><dd>${ROLE_NAMES[visitor.locale][project.role]}</dd>
</dl>
${
  manages(project.role)
    ? html`<h2><a href="/projects/${project.id}/settings">${words.settings}</a></h2>
${settingsLinks(visitor.locale, project)}`
    : ""
}
<h2>${words.bring}</h2>
${bringing(visitor.locale, project)}
<h2>${words.connect}</h2>
${
  visitor.project?.mayConnect === false
    ? html`<p>${CONNECTING[visitor.locale].mayNot}</p>`
    : html`<p>${words.give}</p>
<pre><code>${service.config.authUrl}/mcp</code></pre>${copyButton(visitor.locale, "url")}`
}`;
    return framed(visitor, project.name, body);
  },
};

/** Returns where the leads come from, by what the person's role may do. */
function bringing(locale: Locale, { id, role }: ProjectGlance): Html {
  const words = PROJECT_WORDS[locale];
  if (!permissionsOfRole(role).includes("leads:write")) return html`<p>${words.bringNot}</p>`;
  const key = html` ${words.orKey} <a href="/projects/${id}/settings/api-keys">${words.keys}</a>.`;
  return html`<p><a href="/projects/${id}/imports">${words.bringFile}</a>: ${words.bringWhat}${manages(role) ? key : ""}</p>`;
}

function lastImport(locale: Locale, { lastImport }: ProjectGlance): Html | string {
  const words = PROJECT_WORDS[locale];
  if (lastImport === null) return words.noImport;
  const { fileName, rows, state } = lastImport;
  return html`<bdi>${fileName}</bdi>, ${rows.toLocaleString(locale)} ${words.rows}, ${words[state]}`;
}
