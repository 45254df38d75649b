import { type Html, html } from "../../../http/response/html.ts";
import type { Reply } from "../../../http/response/reply.ts";
import { copyButton } from "../shared/copy.ts";
import { framed } from "../shared/frame.ts";
import {
  doneLine,
  faultOf,
  marked,
  problemAbove,
  problemLine,
  type Refused,
  tokenField,
} from "../shared/parts.ts";
import type { Visitor } from "../shared/signed-in.ts";
import { EMAIL_WORDS } from "./words.ts";

/** Returns the page on which a person asks for another address; without mail, it names the operator's command. */
export function emailPage(
  visitor: Visitor,
  shown: { mails: boolean; sent: boolean; again?: Refused & { email: string } },
): Reply {
  const words = EMAIL_WORDS[visitor.locale];
  const { again } = shown;
  const body = html`<nav class="crumbs"><a href="/account">${words.account}</a></nav>
<h1>${words.title}</h1>
${doneLine(shown.sent ? words.sent : undefined)}
<dl class="facts"><dt>${words.now}</dt><dd><bdi>${visitor.person.email}</bdi></dd></dl>
${shown.mails ? form(visitor, again) : withoutMail(visitor)}`;
  return framed(visitor, words.title, body, again?.status, again?.headers);
}

function form({ locale, token }: Visitor, again: (Refused & { email: string }) | undefined): Html {
  const words = EMAIL_WORDS[locale];
  return html`<p class="quiet">${words.what}</p>
${problemAbove(again)}
<form method="post" action="/account/email" class="narrow">${tokenField(token)}
<label>${words.fresh} <input name="email" type="email" value="${again?.email}" autocomplete="email" maxlength="254" required${marked("email", again?.wrong)}></label>
${faultOf("email", again?.wrong)}
<label>${words.proof} <input name="proof" type="password" autocomplete="current-password" required></label>
<div class="actions"><button class="primary">${words.send}</button></div></form>`;
}

function withoutMail({ locale, person }: Visitor): Html {
  const words = EMAIL_WORDS[locale];
  return html`<p>${words.noMail}</p>
<p class="quiet">${words.command}</p>
<pre><code>npm run -s leadgate -- person change-email --email ${person.email} --to you@example.org</code></pre>${copyButton(locale, "command")}`;
}

/** Returns the page of a mailed link: both addresses, and the button that changes them. */
export function confirmPage(visitor: Visitor, at: { link: string; email: string }, again?: Refused): Reply {
  const words = EMAIL_WORDS[visitor.locale];
  const body = html`<nav class="crumbs"><a href="/account">${words.account}</a></nav>
<h1>${words.confirm}</h1>
${problemLine(again?.problem)}
<dl class="facts"><dt>${words.now}</dt><dd><bdi>${visitor.person.email}</bdi></dd>
<dt>${words.fresh}</dt><dd><strong><bdi>${at.email}</bdi></strong></dd></dl>
<p class="quiet">${words.confirmWhat}</p>
<form method="post" action="/account/email/${at.link}">${tokenField(visitor.token)}
<div class="actions"><button class="primary">${words.confirmButton}</button></div></form>
<p><a href="/account">${words.leave}</a></p>`;
  return framed(visitor, words.confirm, body, again?.status, again?.headers);
}
