import { Refusal } from "../../core/refusal.ts";
import { type LivingAuthorization, listAuthorizations } from "../../domain/grants/list-authorizations.ts";
import { takeBack } from "../../domain/grants/take-back.ts";
import { type Html, html, seeOther } from "../../http/html.ts";
import type { Route } from "../../http/route.ts";
import { framed } from "./frame.ts";
import { fieldOf, formOfVisitor, visitorOf } from "./signed-in.ts";

const ADDRESS = "/connected-apps";

/** What a person granted, to whom, since when; and the way to take it back. */
export const connectedAppRoutes: Route[] = [
  {
    method: "GET",
    url: ADDRESS,
    async handle(service, request) {
      const visitor = await visitorOf(service, request);
      const granted = await listAuthorizations(service, visitor.person.id);
      const list =
        granted.length === 0
          ? html`<p class="quiet">No application has access through you.</p>`
          : html`<ul class="list">${granted.map((one) => entry(one, visitor.token))}</ul>`;
      const body = html`<nav class="crumbs"><a href="/">Projects</a></nav>
<h1>Connected apps</h1>
<p>These applications reach leads in your name. Revoking takes effect at their next request.</p>
${list}`;
      return framed(visitor, "Connected apps", body);
    },
  },
  {
    method: "POST",
    url: `${ADDRESS}/revoke`,
    async handle(service, request) {
      const visitor = await formOfVisitor(service, request);
      try {
        await takeBack(service, {
          personId: visitor.person.id,
          projectId: fieldOf(visitor.form, "project_id"),
          authorizationId: fieldOf(visitor.form, "authorization_id"),
        });
      } catch (error) {
        // pressed twice, or ended elsewhere: what the person wanted is so
        if (!(error instanceof Refusal) || error.kind !== "not_found") throw error;
      }
      return seeOther(ADDRESS);
    },
  },
];

function entry(one: LivingAuthorization, token: string): Html {
  const may = one.scopes.includes("mcp:write") ? "reads, creates, edits and deletes" : "reads";
  const used = one.lastUsedAt === null ? "not used yet" : `last used ${day(one.lastUsedAt)}`;
  return html`<li><span><strong><bdi>${one.clientName}</bdi></strong> in <bdi>${one.projectName}</bdi><br>
<span class="quiet">${may}; since ${day(one.createdAt)}, ${used}</span></span>
<form method="post" action="${ADDRESS}/revoke">
<input type="hidden" name="form_token" value="${token}">
<input type="hidden" name="project_id" value="${one.projectId}">
<input type="hidden" name="authorization_id" value="${one.id}">
<button aria-label="Revoke ${one.clientName}">Revoke</button>
</form></li>`;
}

const day = (date: Date): string => date.toISOString().slice(0, 10);
