import type { Words } from "../../../core/locale.ts";
import type { Refusal } from "../../../core/refusal.ts";
import { dayIn } from "../../../http/request/locale.ts";
import { type Html, html } from "../../../http/response/html.ts";
import type { Reply } from "../../../http/response/reply.ts";
import { statusOf } from "../../../http/response/status.ts";
import { problem } from "../../../http/session/sign-in-form.ts";
import { framed } from "../shared/frame.ts";
import type { Visitor } from "../shared/signed-in.ts";

/**
 * Returns the page with the state of two-factor authentication; every form requires the password or a code.
 */
export function twoFactorPage(
  visitor: Visitor,
  { since, codes }: { since: Date | null; codes: number },
  refusal?: Refusal,
): Reply {
  const words = WORDS[visitor.locale];
  const actions =
    since === null
      ? html`<p>${words.off}</p>
${form(visitor, words.password, html`<button class="primary" name="do" value="begin">${words.begin}</button>`)}`
      : html`<p>${words.on} ${dayIn(visitor.locale, since)}. ${words.left} ${codes}.</p>
${form(
  visitor,
  words.either,
  html`<button name="do" value="codes">${words.renew}</button>
<button name="do" value="off">${words.end}</button>`,
)}`;
  const body = html`<nav class="crumbs"><a href="/account">${words.account}</a></nav>
<h1>${words.title}</h1>
<p>${words.what}</p>
${refusal && problem(visitor.locale, refusal)}
${actions}`;
  return framed(visitor, words.title, body, refusal === undefined ? 200 : statusOf(refusal));
}

const form = (
  visitor: Visitor,
  label: string,
  buttons: Html,
): Html => html`<form method="post" action="/account/two-factor">
<input type="hidden" name="form_token" value="${visitor.token}">
<label>${label} <input name="proof" type="password" autocomplete="current-password" required></label>
<div class="actions">${buttons}</div>
</form>`;

/** Returns the recovery codes, which are shown once. */
export function recoveryCodesPage(visitor: Visitor, codes: readonly string[]): Reply {
  const words = WORDS[visitor.locale];
  const body = html`<nav class="crumbs"><a href="/account">${words.account}</a> <a href="/account/two-factor">${words.title}</a></nav>
<h1>${words.keep}</h1>
<p>${words.why}</p>
<section class="fresh" role="status">
<ul class="codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
</section>
<p><a href="/account/two-factor">${words.kept}</a></p>`;
  return framed(visitor, words.keep, body);
}

const WORDS: Words<
  Record<
    | "account"
    | "title"
    | "what"
    | "off"
    | "on"
    | "left"
    | "password"
    | "either"
    | "begin"
    | "renew"
    | "end"
    | "keep"
    | "why"
    | "kept",
    string
  >
> = {
  en: {
    account: "Your account",
    title: "Two-step sign-in",
    what: "With an authenticator app, nobody can sign in with your password alone: we also ask for a code that only your phone shows.",
    off: "It is off.",
    on: "It is on since",
    left: "Recovery codes left:",
    password: "Your password",
    either: "Your password, or a code from your app",
    begin: "Set up an app",
    renew: "New recovery codes",
    end: "Turn it off",
    keep: "Save these recovery codes",
    why: "If you lose your phone, each of them lets you sign in once without your app. They are not shown again, and earlier codes no longer work.",
    kept: "I have saved them",
  },
  "pt-BR": {
    account: "Sua conta",
    title: "Entrada em duas etapas",
    what: "Com um aplicativo autenticador, ninguém entra só com a sua senha: também pedimos um código que só o seu celular mostra.",
    off: "Está desativada.",
    on: "Está ativada desde",
    left: "Códigos de recuperação restantes:",
    password: "Sua senha",
    either: "Sua senha, ou um código do seu aplicativo",
    begin: "Configurar um aplicativo",
    renew: "Novos códigos de recuperação",
    end: "Desativar",
    keep: "Salve estes códigos de recuperação",
    why: "Se você perder o celular, cada um permite entrar uma vez sem o aplicativo. Eles não são mostrados de novo, e os anteriores deixam de funcionar.",
    kept: "Já salvei",
  },
};
