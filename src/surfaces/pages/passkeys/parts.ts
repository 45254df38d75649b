import type { Words } from "../../../core/locale.ts";
import type { Refusal } from "../../../core/refusal.ts";
import type { Passkey } from "../../../domain/accounts/sign-in/passkey.ts";
import { dayIn } from "../../../http/request/locale.ts";
import { type Html, html } from "../../../http/response/html.ts";
import type { Reply } from "../../../http/response/reply.ts";
import { problem } from "../../../http/session/sign-in-form.ts";
import { framed } from "../shared/frame.ts";
import type { Visitor } from "../shared/signed-in.ts";

/**
 * Returns the list of passkeys with buttons to remove them, and the form for a new one, which the script
 * reveals in browsers that support passkeys.
 */
export function passkeysPage(
  visitor: Visitor,
  passkeys: readonly Passkey[],
  refusal?: Refusal,
  status = 200,
): Reply {
  const words = WORDS[visitor.locale];
  const list =
    passkeys.length === 0
      ? html`<p class="quiet">${words.none}</p>`
      : html`<ul class="list">${passkeys.map((each) => entry(visitor, each))}</ul>`;
  const body = html`<nav class="crumbs"><a href="/account">${words.account}</a></nav>
<h1>${words.title}</h1>
<p>${words.what}</p>
${refusal && problem(visitor.locale, refusal)}
${list}
<h2>${words.add}</h2>
<p class="quiet" data-passkey-missing>${words.missing}</p>
<form method="post" action="/account/passkeys" data-passkey="add" hidden>
<input type="hidden" name="form_token" value="${visitor.token}">
<label>${words.name} <input name="name" maxlength="100" placeholder="${words.example}" required></label>
<label>${words.proof} <input name="proof" type="password" autocomplete="current-password" required></label>
<div class="actions"><button class="primary" data-passkey-start>${words.add}</button></div>
<p class="error" role="alert" hidden data-passkey-problem="${words.unfinished}"></p>
</form>
<script src="/assets/passkey.js" defer></script>`;
  return framed(visitor, words.title, body, status);
}

function entry({ locale, token }: Visitor, passkey: Passkey): Html {
  const words = WORDS[locale];
  const used =
    passkey.lastUsedAt === null ? words.unused : `${words.used} ${dayIn(locale, passkey.lastUsedAt)}`;
  return html`<li><span><strong><bdi>${passkey.name}</bdi></strong><br>
<span class="quiet">${words.since} ${dayIn(locale, passkey.createdAt)}, ${used}</span></span>
<details><summary aria-label="${words.remove}: ${passkey.name}">${words.remove}</summary>
<form method="post" action="/account/passkeys">
<input type="hidden" name="form_token" value="${token}">
<input type="hidden" name="id" value="${passkey.id}">
<label>${words.proof} <input name="proof" type="password" autocomplete="current-password" required></label>
<button>${words.really}</button>
</form></details></li>`;
}

const WORDS: Words<
  Record<
    | "account"
    | "title"
    | "what"
    | "none"
    | "add"
    | "missing"
    | "name"
    | "example"
    | "proof"
    | "unfinished"
    | "since"
    | "used"
    | "unused"
    | "remove"
    | "really",
    string
  >
> = {
  en: {
    account: "Your account",
    title: "Passkeys",
    what: "A passkey signs you in with your device: its screen lock, your fingerprint or your face. You need no password or code, and it works only for this service.",
    none: "You do not have any passkeys yet.",
    add: "Add a passkey",
    missing:
      "Passkeys need a browser that supports them, with JavaScript enabled and a secure connection (HTTPS).",
    name: "Name",
    example: "My laptop",
    proof: "Your password",
    unfinished: "No passkey was created. Try again when you are ready.",
    since: "since",
    used: "last used",
    unused: "not used yet",
    remove: "Remove",
    really: "Remove this passkey",
  },
  "pt-BR": {
    account: "Sua conta",
    title: "Chaves de acesso",
    what: "Com uma chave de acesso você entra usando seu dispositivo: o bloqueio de tela, a impressão digital ou o rosto. Não precisa de senha nem de código, e só funciona neste serviço.",
    none: "Você ainda não tem chaves de acesso.",
    add: "Adicionar chave de acesso",
    missing:
      "Chaves de acesso exigem um navegador compatível, com JavaScript ativado e conexão segura (HTTPS).",
    name: "Nome",
    example: "Meu notebook",
    proof: "Sua senha",
    unfinished: "Nenhuma chave de acesso foi criada. Tente de novo quando quiser.",
    since: "desde",
    used: "usada pela última vez em",
    unused: "ainda não usada",
    remove: "Remover",
    really: "Remover esta chave",
  },
};
