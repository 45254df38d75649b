import { encode } from "uqr";
import type { Words } from "../../../core/locale.ts";
import type { Refusal } from "../../../core/refusal.ts";
import type { Enrolment } from "../../../domain/accounts/two-factor.ts";
import { type Html, html } from "../../../http/response/html.ts";
import type { Reply } from "../../../http/response/reply.ts";
import { statusOf } from "../../../http/response/status.ts";
import { problem } from "../../../http/session/sign-in-form.ts";
import { framed } from "../shared/frame.ts";
import type { Visitor } from "../shared/signed-in.ts";

/**
 * Returns the page with the secret for the app, as a QR code and as text, and the form for its first code.
 */
export function enrolmentPage(visitor: Visitor, enrolment: Enrolment, refusal?: Refusal): Reply {
  const words = WORDS[visitor.locale];
  const groups = enrolment.secret.match(/.{1,4}/g) ?? [];
  const body = html`<nav class="crumbs"><a href="/account">${words.account}</a> <a href="/account/two-factor">${words.back}</a></nav>
<h1>${words.title}</h1>
<p>${words.scan}</p>
${qrCode(enrolment.address, words.picture)}
<p>${words.type} <code>${groups.join(" ")}</code></p>
${refusal && problem(visitor.locale, refusal)}
<form method="post" action="/account/two-factor">
<input type="hidden" name="form_token" value="${visitor.token}">
<input type="hidden" name="enrolment" value="${enrolment.sealed}">
<label for="code">${words.code}</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required autofocus>
<div class="actions"><button class="primary" name="do" value="confirm">${words.confirm}</button></div>
</form>`;
  return framed(visitor, words.title, body, refusal === undefined ? 200 : statusOf(refusal));
}

/**
 * Returns a QR code as SVG, dark on white even in dark mode, since cameras require it. It has no style
 * attribute, which the content security policy forbids.
 */
function qrCode(text: string, label: string): Html {
  const { size, data } = encode(text, { ecc: "M", border: 4 });
  const dark = data.flatMap((row, y) => row.flatMap((on, x) => (on ? [`M${x},${y}h1v1h-1z`] : [])));
  return html`<svg class="qr" role="img" aria-label="${label}" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">
<rect width="${size}" height="${size}" fill="#fff"/><path fill="#000" d="${dark.join("")}"/></svg>`;
}

const WORDS: Words<
  Record<"account" | "back" | "title" | "scan" | "picture" | "type" | "code" | "confirm", string>
> = {
  en: {
    account: "Your account",
    back: "Two-step sign-in",
    title: "Set up your app",
    scan: "Scan this with an authenticator app on your phone.",
    picture: "QR code for your authenticator app; the same secret is shown below as text",
    type: "Or enter this secret in the app:",
    code: "The six digits that the app shows now",
    confirm: "Turn on",
  },
  "pt-BR": {
    account: "Sua conta",
    back: "Entrada em duas etapas",
    title: "Configure seu aplicativo",
    scan: "Escaneie com um aplicativo autenticador no seu celular.",
    picture: "Código QR para seu aplicativo autenticador; o mesmo segredo está abaixo como texto",
    type: "Ou digite este segredo no aplicativo:",
    code: "Os seis dígitos que o aplicativo mostra agora",
    confirm: "Ativar",
  },
};
