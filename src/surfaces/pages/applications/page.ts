import type { FastifyRequest } from "fastify";
import { Refusal } from "../../../core/refusal.ts";
import { type ConnectionsBefore, listConnections } from "../../../domain/grants/list-connections.ts";
import { revokeConnections, type WhichConnections } from "../../../domain/grants/revoke-connections.ts";
import { setWrites } from "../../../domain/grants/set-writes.ts";
import { perform } from "../../../domain/operation/operation.ts";
import { html, seeOther } from "../../../http/response/html.ts";
import type { Route } from "../../../http/route/route.ts";
import { framed } from "../shared/frame.ts";
import { doneLine } from "../shared/parts.ts";
import { projectAt } from "../shared/project-at.ts";
import { ROLE_NAMES } from "../shared/role-words.ts";
import { fieldOf, formOfVisitor, visitorOf } from "../shared/signed-in.ts";
import { connectionEntry, othersNotice, revokeAllForm } from "./parts.ts";
import { APPLICATION_WORDS } from "./words.ts";

const ADDRESS = "/projects/:project/settings/applications";

const PAGE = 50;

/** Settings → Applications: what members connected to the project, with buttons to revoke it. For owners and admins. */
export const applicationRoutes: Route[] = [
  {
    method: "GET",
    url: ADDRESS,
    async handle(service, request) {
      const visitor = await visitorOf(service, request);
      const { id: projectId, connectRoles } = await projectAt(service, request, visitor);
      const page = { before: beforeOf(request), limit: PAGE + 1 };
      const found = await perform(service, listConnections, { personId: visitor.person.id, projectId }, page);
      const { connections, totals } = found;
      const [shown, view] = [connections.slice(0, PAGE), { visitor, projectId }];
      const words = APPLICATION_WORDS[visitor.locale];
      const here = `/projects/${projectId}/settings/applications`;
      const last = connections.length > PAGE ? shown.at(-1) : undefined;
      const list = html`<p class="quiet">${words.claim}</p>
${othersNotice(view, totals.others)}
<ol class="list">${shown.map((one) => connectionEntry(view, one))}</ol>
${
  totals.all > PAGE &&
  html`<p class="pages"><a href="${here}">${words.first}</a>${last && html` <a href="${here}?before=${last.at}.${last.id}" rel="next">${words.next}</a>`}</p>`
}
${revokeAllForm(view, totals.all)}`;
      const roles = connectRoles.map((role) => ROLE_NAMES[visitor.locale][role]).join(", ");
      const body = html`<h1>${words.title}</h1>
${doneLine(doneOf(request, words.revoked))}
<p>${words.intro}</p>
<p>${words.who(roles)} <a href="/projects/${projectId}/settings#connecting">${words.change}</a></p>
${totals.all === 0 ? html`<p class="quiet"><strong>${words.none}</strong><br>${words.noneWhat}</p>` : list}`;
      return framed(visitor, words.title, body);
    },
  },
  {
    method: "POST",
    url: `${ADDRESS}/revoke`,
    async handle(service, request) {
      const visitor = await formOfVisitor(service, request);
      const { project: projectId } = request.params as { project: string };
      const which = whichOf(fieldOf(visitor.form, "which"), fieldOf(visitor.form, "id"));
      const at = { personId: visitor.person.id, projectId };
      const count = await perform(service, revokeConnections, at, which);
      return seeOther(`/projects/${projectId}/settings/applications?revoked=${count}`);
    },
  },
  {
    method: "POST",
    url: `${ADDRESS}/writes`,
    async handle(service, request) {
      const visitor = await formOfVisitor(service, request);
      const { project: projectId } = request.params as { project: string };
      const [authorizationId, writes] = [fieldOf(visitor.form, "id"), fieldOf(visitor.form, "writes")];
      await perform(service, setWrites, visitor, { projectId, authorizationId, writes });
      return seeOther(`/projects/${projectId}/settings/applications`);
    },
  },
];

/** Returns what a form revokes; a form that does not say it revokes nothing. */
function whichOf(which: string, id: string): WhichConnections {
  if (which === "all") return {};
  if (which === "others") return { others: true };
  if (which === "connection" && id !== "") return { authorizationId: id };
  if (which === "application" && id !== "") return { clientId: id };
  if (which === "member" && id !== "") return { personId: id };
  throw new Refusal("malformed", "no_choice", "The form does not say what to revoke. Reload the page.");
}

function doneOf(request: FastifyRequest, words: (count: number) => string): string | undefined {
  const { revoked } = request.query as { revoked?: unknown };
  return typeof revoked === "string" && /^\d{1,9}$/.test(revoked) ? words(Number(revoked)) : undefined;
}

function beforeOf(request: FastifyRequest): ConnectionsBefore | undefined {
  const { before } = request.query as { before?: unknown };
  if (before === undefined) return undefined;
  const [, at, id] = (typeof before === "string" && /^(\d{1,16})\.(az_[0-9a-z]{1,40})$/.exec(before)) || [];
  if (at !== undefined && id !== undefined) return { at: Number(at), id };
  throw new Refusal("malformed", "bad_page", "This page of the list does not exist.");
}
