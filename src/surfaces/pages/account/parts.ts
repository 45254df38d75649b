import { LOCALES, type Locale } from "../../../core/locale.ts";
import type { OpenSession } from "../../../domain/accounts/sessions/list-sessions.ts";
import { momentIn } from "../../../http/request/locale.ts";
import { type Html, html } from "../../../http/response/html.ts";
import { browserIn } from "../shared/browser.ts";
import { faultOf, marked, problemAbove, problemLine, type Refused, tokenField } from "../shared/parts.ts";
import type { Visitor } from "../shared/signed-in.ts";
import { ACCOUNT_WORDS } from "./words.ts";

/** Languages by their native names. */
const LANGUAGES: Record<Locale, string> = { en: "English", "pt-BR": "Português (Brasil)" };

/** Returns the form for name and language; the e-mail is read-only. */
export function profileSection({ person, locale, token }: Visitor, problem?: string): Html {
  const words = ACCOUNT_WORDS[locale];
  const choice = (value: string, name: string) =>
    html`<option value="${value}"${(person.locale ?? "") === value ? html` selected` : ""}>${name}</option>`;
  return html`<section aria-labelledby="profile"><h2 id="profile">${words.profile}</h2>
<dl class="facts"><dt>${words.email}</dt><dd><bdi>${person.email}</bdi> <a href="/account/email">${words.changeEmail}</a></dd></dl>
${problemLine(problem)}
<form method="post" action="/account/profile" class="narrow">${tokenField(token)}
<label>${words.name} <input name="name" value="${person.name}" maxlength="200" autocomplete="name" required></label>
<label>${words.language} <select name="locale">${choice("", words.browser)}${LOCALES.map((each) => choice(each, LANGUAGES[each]))}</select></label>
<div class="actions"><button>${words.save}</button></div></form></section>`;
}

/** Returns the form that turns shortcuts of a single key on and off. */
export function shortcutSection({ person, locale, token }: Visitor): Html {
  const words = ACCOUNT_WORDS[locale];
  return html`<section aria-labelledby="shortcuts"><h2 id="shortcuts">${words.shortcuts}</h2>
<form method="post" action="/account/shortcuts" class="narrow">${tokenField(token)}
<label class="choice"><input type="checkbox" name="single_keys" value="on"${person.singleKeys ? html` checked` : ""}> <span>${words.singleKeys}</span></label>
<p class="quiet">${words.singleKeysWhat}</p>
<div class="actions"><button>${words.save}</button></div></form></section>`;
}

/** Returns a notice to a person whose e-mail is not confirmed, and how to confirm it. */
export function proofSection(
  { person, locale, token }: Visitor,
  { mails, problem }: { mails: boolean; problem: string | undefined },
): Html | undefined {
  if (person.verified) return undefined;
  const words = ACCOUNT_WORDS[locale];
  const how = mails
    ? html`<form method="post" action="/account/proof">${tokenField(token)}
<div class="actions"><button>${words.proofMail}</button></div></form>`
    : html`<p>${words.proofAsk}</p>`;
  return html`<section class="notice" aria-labelledby="proof"><h2 id="proof">${words.proof}</h2>
<p>${words.proofWhat}</p>
${problemLine(problem)}
${how}</section>`;
}

/** Returns links to the other security settings of an account. */
export function securityLinks({ locale }: Visitor): Html {
  const words = ACCOUNT_WORDS[locale];
  const link = (to: string, name: string, what: string) =>
    html`<li><a href="${to}">${name}</a> <span class="quiet">${what}</span></li>`;
  return html`<section aria-labelledby="security"><h2 id="security">${words.security}</h2>
<ul class="list">${link("/account/two-factor", words.twoFactor, words.twoFactorFor)}
${link("/account/passkeys", words.passkeys, words.passkeysFor)}
${link("/connected-apps", words.apps, words.appsFor)}
${link("/account/log", words.log, words.logFor)}</ul></section>`;
}

/** Returns the form for a new password, which asks for the present one. */
export function passwordSection({ person, locale, token }: Visitor, again?: Refused): Html {
  const words = ACCOUNT_WORDS[locale];
  return html`<section aria-labelledby="password"><h2 id="password">${words.password}</h2>
<p class="quiet">${words.passwordWhat} <a href="/connected-apps">${words.apps}</a>.</p>
${problemAbove(again)}
<form method="post" action="/account/password" class="narrow">${tokenField(token)}
<input type="text" value="${person.email}" autocomplete="username" readonly hidden>
<label>${words.present} <input name="present" type="password" autocomplete="current-password" required></label>
<label>${words.fresh} <input name="fresh" type="password" autocomplete="new-password" minlength="8" required${marked("password", again?.wrong)}>
<small>${words.hint}</small></label>
${faultOf("password", again?.wrong)}
<div class="actions"><button>${words.change}</button></div></form></section>`;
}

/** Returns the browsers in which the person is signed in, with buttons to end their sessions. */
export function sessionSection(visitor: Visitor, sessions: readonly OpenSession[]): Html {
  const words = ACCOUNT_WORDS[visitor.locale];
  const ender = (which: string, label: string) =>
    html`<form method="post" action="/account/sessions">${tokenField(visitor.token)}
<button name="which" value="${which}">${label}</button></form>`;
  return html`<section aria-labelledby="sessions"><h2 id="sessions">${words.sessions}</h2>
<ul class="list">${sessions.map((session) => sessionEntry(visitor, session))}</ul>
<div class="actions">${sessions.length > 1 ? ender("others", words.endOthers) : ""}${ender("all", words.endAll)}</div></section>`;
}

function sessionEntry({ locale, token }: Visitor, session: OpenSession): Html {
  const words = ACCOUNT_WORDS[locale];
  const browser = browserIn(locale, session.agent);
  const from = session.address === null ? "" : html`<bdi>${session.address}</bdi> · `;
  const times = `${words.since} ${momentIn(locale, session.createdAt)}, ${words.used} ${momentIn(locale, session.usedAt)}`;
  const end = html`<form method="post" action="/account/sessions">${tokenField(token)}
<input type="hidden" name="session_id" value="${session.id}">
<button name="which" value="one" aria-label="${words.end}: ${browser}">${words.end}</button></form>`;
  return html`<li><span><strong><bdi>${browser}</bdi></strong>${session.current ? html` <span class="tag">${words.here}</span>` : ""}<br>
<span class="quiet">${from}${times}</span></span>${session.current ? "" : end}</li>`;
}

/** Returns the link to the page that deletes the account. */
export function endSection({ locale }: Visitor): Html {
  const words = ACCOUNT_WORDS[locale];
  return html`<section aria-labelledby="end"><h2 id="end">${words.deleteTitle}</h2>
<p class="quiet">${words.deleteWhat}</p>
<p><a href="/account/delete">${words.deleteLink}</a></p></section>`;
}
