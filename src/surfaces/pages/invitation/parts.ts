import type { Locale } from "../../../core/locale.ts";
import type { OpenInvitation } from "../../../domain/projects/invitations/open-invitation.ts";
import { dayIn } from "../../../http/request/locale.ts";
import { type Html, html, page } from "../../../http/response/html.ts";
import { faultOf, marked, problemAbove, type Refused, tokenField } from "../shared/parts.ts";
import { ROLE_ABILITIES, ROLE_NAMES } from "../shared/role-words.ts";
import type { Visitor } from "../shared/signed-in.ts";
import { INVITATION_WORDS } from "./words.ts";

/** Returns the page: who invites, to which project, in which role, and the form to join. */
export function invitationPage(locale: Locale, invitation: OpenInvitation, way: Html, again?: Refused): Html {
  const words = INVITATION_WORDS[locale];
  const { inviter, projectName, role, expiresAt } = invitation;
  const who = inviter === null ? words.invited : html`<bdi>${inviter}</bdi> ${words.invites}`;
  const body = html`<main class="card">
<h1>${words.title}</h1>
<p>${who} <strong><bdi>${projectName}</bdi></strong>.</p>
<dl class="facts">
<dt>${words.as}</dt><dd>${ROLE_NAMES[locale][role]} <span class="quiet">(${ROLE_ABILITIES[locale][role]})</span></dd>
<dt>${words.until}</dt><dd>${dayIn(locale, expiresAt)}</dd>
</dl>
${problemAbove(again)}
${way}
</main>`;
  return page({ title: words.title, body, lang: locale });
}

/** Returns the form for a signed-in person: the account that would join, and a button. */
export function acceptForm(visitor: Visitor, address: string, { email }: OpenInvitation): Html {
  const words = INVITATION_WORDS[visitor.locale];
  const { person } = visitor;
  const other = html`<p class="notice">${words.other} <strong><bdi>${email}</bdi></strong>.</p>`;
  return html`<p>${words.signedInAs} <strong><bdi>${person.name}</bdi></strong> (<bdi>${person.email}</bdi>).</p>
${person.email.toLowerCase() === email.toLowerCase() ? "" : other}
<form method="post" action="${address}/accept">
${tokenField(visitor.token)}
<div class="actions"><button class="primary">${words.accept}</button></div>
</form>
<p><a href="/">${words.leave}</a></p>`;
}

/**
 * Returns the form for others: sign in, or create an account for the invited e-mail. Both are offered where the link
 * does not reveal whether there is an account.
 */
export function newcomerForm(
  locale: Locale,
  at: { address: string; token: string; name: string; wrong: Refused["wrong"] | undefined },
  { email, account }: OpenInvitation,
): Html {
  const words = INVITATION_WORDS[locale];
  const signIn = html`/sign-in?to=${encodeURIComponent(at.address)}`;
  if (account === "verified") {
    return html`<p>${words.email}: <strong><bdi>${email}</bdi></strong></p>
<p><a class="button primary" href="${signIn}">${words.signIn}</a></p>`;
  }
  const title =
    account === "unverified"
      ? html`<h2>${words.claim}</h2>
<p>${words.claimWhat}</p>`
      : html`<h2>${words.create}</h2>`;
  return html`${title}
<form method="post" action="${at.address}">
${tokenField(at.token)}
<label>${words.email} <input type="email" value="${email}" autocomplete="username" readonly>
<small>${words.createWhat}</small></label>
<label>${words.name} <input name="name" value="${at.name}" autocomplete="name" maxlength="200" required></label>
<label>${words.password} <input name="password" type="password" autocomplete="new-password" minlength="8" required${marked("password", at.wrong)}>
<small>${words.hint}</small></label>
${faultOf("password", at.wrong)}
<div class="actions"><button class="primary">${words.createButton}</button></div>
</form>
<p>${words.have} <a href="${signIn}">${words.signIn}</a></p>`;
}
