import type { Locale } from "../../../core/locale.ts";
import type { OpenReset } from "../../../domain/accounts/reset-link.ts";
import { dayIn, momentIn } from "../../../http/request/locale.ts";
import { type Html, html } from "../../../http/response/html.ts";
import { browserIn } from "../shared/browser.ts";
import { faultOf, marked, problemAbove, type Refused } from "../shared/parts.ts";
import { RESET_WORDS } from "./words.ts";

/** Returns the form for a new password, with what signs in to the account and what becomes of it. */
export function resetForm(locale: Locale, link: string, open: OpenReset, again?: Refused): Html {
  const words = RESET_WORDS[locale];
  return html`<dl class="facts"><dt>${words.account}</dt><dd><bdi>${open.email}</bdi></dd></dl>
<p${open.verified ? html` class="quiet"` : ""}>${open.verified ? words.what : words.whatUnverified}</p>
${problemAbove(again)}
<form method="post" action="/reset/${link}">
<label>${words.password} <input name="password" type="password" autocomplete="new-password" minlength="8" required autofocus${marked("password", again?.wrong)}>
<small>${words.hint}</small></label>
${faultOf("password", again?.wrong)}
${open.verified && open.passkeys.length > 0 ? passkeyChoice(locale) : ""}
<div class="actions"><button class="primary">${words.set}</button></div>
</form>
${waysIn(locale, open)}`;
}

function passkeyChoice(locale: Locale): Html {
  const words = RESET_WORDS[locale];
  return html`<label class="choice"><input type="checkbox" name="passkeys" value="end">
<span>${words.endPasskeys}<br><span class="quiet">${words.endPasskeysWhen}</span></span></label>`;
}

function waysIn(locale: Locale, { verified, totpSince, passkeys, sessions }: OpenReset): Html {
  const words = RESET_WORDS[locale];
  const part = (title: string, fate: string, entries: Html[]) =>
    entries.length === 0
      ? ""
      : html`<h2>${title}</h2>
<p class="quiet">${fate}</p>
<ul class="list">${entries}</ul>`;
  const app =
    totpSince === null ? [] : [html`<li>${words.app}, ${words.appSince} ${dayIn(locale, totpSince)}</li>`];
  const keys = passkeys.map(
    ({ name, createdAt }) => html`<li><span><strong><bdi>${name}</bdi></strong><br>
<span class="quiet">${words.added} ${dayIn(locale, createdAt)}</span></span></li>`,
  );
  const browsers = sessions.map(({ agent, address, usedAt }) => {
    const from = address === null ? "" : html`<bdi>${address}</bdi> · `;
    return html`<li><span><strong><bdi>${browserIn(locale, agent)}</bdi></strong><br>
<span class="quiet">${from}${words.used} ${momentIn(locale, usedAt)}</span></span></li>`;
  });
  return html`${part(words.passkeys, verified ? words.passkeysStay : words.passkeysEnd, keys)}
${part(words.app, verified ? words.appStays : words.appEnds, app)}
${part(words.sessions, words.sessionsEnd, browsers)}`;
}

/** Returns what to read after the password was set. */
export function resetDone(locale: Locale, claimed: boolean): Html {
  const words = RESET_WORDS[locale];
  return html`<p role="status">${claimed ? words.doneUnverified : words.done}</p>
<p>${claimed ? words.review : words.apps}</p>
<p><a class="button primary" href="/sign-in">${words.signIn}</a></p>`;
}
