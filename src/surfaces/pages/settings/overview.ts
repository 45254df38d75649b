import type { FastifyRequest } from "fastify";
import type { Locale } from "../../../core/locale.ts";
import { addressIn, HOME } from "../../../core/navigation.ts";
import { manages } from "../../../core/permission.ts";
import { notFound } from "../../../core/refusal.ts";
import { perform } from "../../../domain/operation/operation.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import { describeProject, type ProjectGlance } from "../../../domain/projects/describe-project.ts";
import { type Html, html, seeOther } from "../../../http/response/html.ts";
import type { Route } from "../../../http/route/route.ts";
import { framed } from "../shared/frame.ts";
import { ROLE_NAMES } from "../shared/role-words.ts";
import { type Visitor, visitorOf } from "../shared/signed-in.ts";
import { placeFacts } from "./place.ts";
import { PROJECT_WORDS } from "./words.ts";

/** The way to a project's dashboard, and under its settings the project at a glance, with the ways to reach its leads. */
export const projectRoutes: Route[] = [
  {
    method: "GET",
    url: "/projects/:project",
    async handle(service, request) {
      const { id } = await projectAt(service, request, await visitorOf(service, request));
      return seeOther(addressIn(id, HOME));
    },
  },
  {
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
${placeFacts(visitor.locale, project)}
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
<pre><code>npm run -s leadgate -- import leads --project ${project.id} --file leads.csv</code></pre>
<h2>${words.connect}</h2>
<p>${words.give}</p>
<pre><code>${service.config.authUrl}/mcp</code></pre>`;
      return framed(visitor, project.name, body);
    },
  },
];

/** The project of the address, for its members; `not_found` for everybody else. */
export async function projectAt(
  service: Service,
  request: FastifyRequest,
  visitor: Visitor,
): Promise<ProjectGlance> {
  const { project: projectId } = request.params as { project: string };
  const project = await perform(service, describeProject, visitor, { projectId });
  if (project === undefined) throw notFound("project");
  return project;
}

/** Where a project is looked after, for those who manage it. */
export function settingsLinks(locale: Locale, { id, role }: ProjectGlance): Html {
  const words = PROJECT_WORDS[locale];
  const link = (path: string, name: string, what: string) =>
    html`<li><a href="/projects/${id}/settings/${path}">${name}</a> <span class="quiet">${what}</span></li>`;
  return html`<ul class="list">${link("api-keys", words.keys, words.keysFor)}
${link("members", words.members, words.membersFor)}
${role === "owner" ? link("log", words.log, words.logFor) : ""}</ul>`;
}

/** How many leads, as far as they are counted. */
export function leadCount(locale: Locale, { leads }: ProjectGlance): string {
  const number = leads.toLocaleString(locale);
  return leads === 10_000 ? `${number} ${PROJECT_WORDS[locale].orMore}` : number;
}

function lastImport(locale: Locale, { lastImport }: ProjectGlance): Html | string {
  const words = PROJECT_WORDS[locale];
  if (lastImport === null) return words.noImport;
  const { fileName, rows, state } = lastImport;
  return html`<bdi>${fileName}</bdi>, ${rows.toLocaleString(locale)} ${words.rows}, ${words[state]}`;
}
