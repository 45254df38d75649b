import type { Person } from "../../domain/accounts/person.ts";
import { grantable } from "../../domain/grants/issue-code.ts";
import { lastChoice } from "../../domain/grants/last-choice.ts";
import { listProjects } from "../../domain/projects/list-projects.ts";
import type { Service } from "../../domain/service.ts";
import { formToken } from "../../http/form-token.ts";
import { type Html, html, htmlReply, page } from "../../http/html.ts";
import type { Reply } from "../../http/reply.ts";
import { applicationCard } from "./application-card.ts";
import type { AuthorizationRequest, Wish } from "./authorization-request.ts";
import { carry, purposeOf } from "./carried-request.ts";
import { projectChoice, scopeChoice } from "./consent-choices.ts";

/** The consent page: who asks, for what, in which project, for how long. It always asks, whatever was chosen before. */
export async function consentPage(
  service: Service,
  about: { asked: AuthorizationRequest; wish: Wish; person: Person; session: string; fault?: string },
): Promise<Reply> {
  const { asked, wish, person, fault } = about;
  const own = await listProjects(service, person.id);
  const projects = own.filter(({ role }) => grantable(wish.scopes, role).length > 0);
  const last = await lastChoice(service, person.id, asked.client.id);
  const choices =
    projects.length === 0
      ? nothingToGrant(own.length)
      : html`${projectChoice(projects, wish.scopes, last?.projectId)}
${scopeChoice(projects, wish.scopes, last?.declined ?? [])}
<p class="quiet">${lasting(service)}</p>`;
  const approve = html`<button class="primary" type="submit" name="decision" value="approve">Allow</button>`;
  const token = formToken(service, about.session, purposeOf("consent", asked.query));
  const body = html`<main class="card">
<h1>Give <bdi>${asked.client.metadata.client_name}</bdi> access?</h1>
<p class="quiet">You are signed in as <bdi>${person.email}</bdi>.</p>
${applicationCard(asked)}
${fault && html`<p class="error" role="alert">${fault}</p>`}
<form method="post" action="/oauth/consent">
<input type="hidden" name="request" value="${carry(asked.query)}">
<input type="hidden" name="token" value="${token}">
${choices}
<div class="actions">
${projects.length > 0 && approve}
<button type="submit" name="decision" value="deny" formnovalidate>Refuse</button>
</div>
</form>
</main>`;
  return htmlReply(fault === undefined ? 200 : 400, page({ title: "Give access", body }));
}

function nothingToGrant(projects: number): Html {
  return projects === 0
    ? html`<p>You have no project yet, so there is nothing to share. Create a project, or ask the owner of one to
add you; then start again from the application.</p>`
    : html`<p>The application asks to change data, and in your projects you may only read. Ask the owner of a
project for another role; then start again from the application.</p>`;
}

const DAY = 86_400;

function lasting({ config: { lifetimes } }: Service): string {
  const days = Math.round(lifetimes.refresh / DAY);
  const unused = days >= 2 ? `${days} days` : `${Math.max(1, Math.round(lifetimes.refresh / 60))} minutes`;
  return `Access lasts until you end it, which you may do at any time; it ends by itself when it was not used for ${unused}.`;
}
