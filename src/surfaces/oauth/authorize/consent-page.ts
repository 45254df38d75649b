import type { Locale } from "../../../core/locale.ts";
import { Refusal } from "../../../core/refusal.ts";
import type { Person } from "../../../domain/accounts/people/account.ts";
import { grantable } from "../../../domain/grants/issue-code.ts";
import { readLastChoice } from "../../../domain/grants/last-choice.ts";
import { perform } from "../../../domain/operation/operation.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import { glanceOwnProjects } from "../../../domain/projects/glance-own-projects.ts";
import { listOwnProjects } from "../../../domain/projects/list-own-projects.ts";
import type { OwnProject } from "../../../domain/tenancy/list-projects.ts";
import { type Html, html, htmlReply, page } from "../../../http/response/html.ts";
import { messageIn } from "../../../http/response/refusal-words.ts";
import type { Reply } from "../../../http/response/reply.ts";
import { formToken } from "../../../http/session/form-token.ts";
import { applicationCard, BRAND } from "./application-card.ts";
import type { AuthorizationRequest, RequestedAccess } from "./authorization-request.ts";
import { carry, clientFingerprint, purposeOf } from "./carried-request.ts";
import { projectChoice, scopeChoice } from "./consent-choices.ts";
import { CONSENT, type ConsentFault } from "./consent-words.ts";
import { NEW_PROJECT_FORM, newProjectFields } from "./new-project-fields.ts";

/** A person, their session in this browser, and the application's request. */
export interface ConsentContext {
  asked: AuthorizationRequest;
  access: RequestedAccess;
  person: Person;
  session: string;
  locale: Locale;
}

const OTHER_ACCOUNT_FORM = "other-account";

/** The script that guards buttons against clicks meant for something else. It stands before what it guards. */
export const GUARD = html`<script src="/assets/consent.js"></script>`;

/**
 * Returns the consent page: who asks, for what, in which project, for how long. It always asks, even after an
 * earlier grant. Its form comes first and holds all of it, so that its buttons stay in sight; fields of the other forms
 * refer to theirs by name.
 */
export async function consentPage(
  service: Service,
  about: ConsentContext & { fault?: ConsentFault | Refusal; status?: number },
): Promise<Reply> {
  const { asked, access, person, locale, fault } = about;
  const words = CONSENT[locale];
  const own = await perform(service, listOwnProjects, about, {});
  const projects = own.filter(
    ({ role, mayConnect }) => mayConnect && grantable(access.scopes, role).length > 0,
  );
  const excluded = notOffered(own, locale);
  const last = await perform(service, readLastChoice, about, { clientId: asked.client.id });
  const glances = await perform(service, glanceOwnProjects, about, {});
  const offer = { projects, glances, asked: access.scopes, last };
  const why =
    own.length === 0 ? words.noProject : own.some(({ mayConnect }) => mayConnect) && words.onlyReads;
  const choices =
    projects.length === 0
      ? html`${excluded && html`<p>${excluded}</p>`}
${why && html`<p>${why}</p>`}
${newProjectFields(locale, "open")}`
      : html`${projectChoice(offer, locale)}
${excluded && html`<p class="quiet">${excluded}</p>`}
${newProjectFields(locale, "folded")}
${scopeChoice(offer, locale)}
<p class="quiet">${lasting(service, locale)}</p>`;
  const approve = html`<button class="primary" type="submit" name="decision" value="approve" data-guarded>${words.allow}</button>
<span class="unseen" role="status" data-ready-status="${words.ready}"></span>`;
  const told = fault instanceof Refusal ? messageIn(locale, fault) : fault && words.faults[fault];
  const body = html`${GUARD}
<main class="card consent">
<form method="post" action="/oauth/consent">
${hidden(service, about, "consent")}
<input type="hidden" name="seen" value="${clientFingerprint(asked)}">
${BRAND}
<h1>${words.question}</h1>
<p class="account">${words.signedIn} <bdi>${person.email}</bdi>
<button class="link" type="submit" form="${OTHER_ACCOUNT_FORM}">${words.other}</button></p>
${told && html`<p class="error" role="alert">${told}</p>`}
${applicationCard(asked, locale)}
${choices}
<div class="actions">
<button type="submit" name="decision" value="deny" formnovalidate>${words.refuse}</button>
${projects.length > 0 && approve}
</div>
</form>
<form method="post" action="/oauth/new-project" id="${NEW_PROJECT_FORM}">${hidden(service, about, "project")}</form>
<form method="post" action="/oauth/other-account" id="${OTHER_ACCOUNT_FORM}">${hidden(service, about, "account")}</form>
</main>`;
  const status = about.status ?? (fault === undefined ? 200 : 400);
  return htmlReply(status, page({ title: words.title, body, lang: locale }));
}

const NAMED = 3;

/** Returns which projects do not let the person's role connect applications; undefined if all do. */
function notOffered(own: readonly OwnProject[], locale: Locale): Html | undefined {
  const words = CONSENT[locale];
  const excluded = own.filter(({ mayConnect }) => !mayConnect);
  if (excluded.length === 0) return undefined;
  const names = excluded.slice(0, NAMED).map(({ name }, at) => html`${at > 0 && ", "}<bdi>${name}</bdi>`);
  const more = excluded.length > NAMED && ` ${words.more(excluded.length - NAMED)}`;
  return words.mayNotConnect(html`${names}${more}`);
}

function hidden(
  service: Service,
  { asked, session }: ConsentContext,
  step: Parameters<typeof purposeOf>[0],
): Html {
  return html`<input type="hidden" name="request" value="${carry(asked.query)}">
<input type="hidden" name="token" value="${formToken(service, session, purposeOf(step, asked.query))}">`;
}

const DAY = 86_400;

function lasting({ config: { lifetimes } }: Service, locale: Locale): Html {
  const words = CONSENT[locale];
  const days = Math.round(lifetimes.refresh / DAY);
  const unused =
    days >= 2 ? words.days(days) : words.minutes(Math.max(1, Math.round(lifetimes.refresh / 60)));
  return words.ends(unused, html`<a href="/connected-apps">${words.apps}</a>`);
}
