import type { FastifyRequest } from "fastify";
import type { Locale, Words } from "../../core/locale.ts";
import type { Refusal } from "../../core/refusal.ts";
import { hashOf, seal, unseal } from "../../core/secret.ts";
import { waitIn } from "../../core/wait-words.ts";
import type { Service } from "../../domain/operation/service/service.ts";
import { localPath } from "../request/local-path.ts";
import { localeOf } from "../request/locale.ts";
import { type Html, html, htmlReply, page } from "../response/html.ts";
import { messageIn } from "../response/refusal-words.ts";
import type { Reply } from "../response/reply.ts";
import { retryHeader, statusOf } from "../response/status.ts";
import { formToken, isFormToken, preSession } from "./form-token.ts";
import { sameOrigin } from "./session.ts";

/** Where a sign-in leads: one of our paths, and the application that requested it, if any. */
export interface Destination {
  to: string;
  /** The application's self-declared name. */
  app?: string | undefined;
}

/**
 * Returns the sign-in form, for our pages and for authorizing an application; `again` is the previous error.
 */
export function signInForm(
  service: Service,
  request: FastifyRequest,
  destination: Destination,
  again?: { refusal: Refusal; email?: string },
): Reply {
  const lang = localeOf(request);
  const words = WORDS[lang];
  const body = html`<main class="card">
<h1>${words.title}</h1>
${destination.app !== undefined && words.continuing(html`<bdi>${destination.app}</bdi>`)}
${again && problem(lang, again.refusal)}
<form method="post" action="/sign-in" data-passkey="sign-in">
${carried(service, request, destination, "sign-in")}
<label for="email">${words.email}</label>
<input id="email" name="email" type="email" value="${again?.email}" autocomplete="username" required${!again?.email && html` autofocus`}>
<label for="password">${words.password}</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${again?.email && html` autofocus`}>
<div class="actions"><button class="primary" type="submit">${words.title}</button>
<button type="button" hidden data-passkey-start>${words.passkey}</button></div>
<p class="error" role="alert" hidden data-passkey-problem="${words.unfinished}"></p>
</form>
<p><a href="/forgot">${words.forgot}</a></p>
</main>
<script src="/assets/passkey.js" defer></script>`;
  return signInReply(service, request, page({ title: words.title, body, lang }), again?.refusal);
}

/** Returns a page of the sign-in, with the cookie of the visit that its form is bound to. */
export function signInReply(
  service: Service,
  request: FastifyRequest,
  document: Html,
  refusal: Refusal | undefined,
): Reply {
  const { cookie } = preSession(service, request);
  return htmlReply(refusal === undefined ? 200 : statusOf(refusal), document, {
    ...(cookie === undefined ? {} : { "Set-Cookie": cookie }),
    ...(refusal === undefined ? {} : retryHeader(refusal)),
  });
}

/** Returns an error message, with the waiting time if it is temporary. */
export function problem(lang: Locale, refusal: Refusal): Html {
  const wait = refusal.retryAfter === undefined ? "" : ` ${WORDS[lang].wait(refusal.retryAfter)}`;
  return html`<p class="error" role="alert">${messageIn(lang, refusal)}${wait}</p>`;
}

/**
 * Returns hidden fields that carry a destination from step to step. The name is sealed for its path, and the
 * anti-forgery token is bound to the visit, the step and both, so that none can be swapped.
 */
export function carried(
  service: Service,
  request: FastifyRequest,
  { to, app }: Destination,
  step: string,
): Html {
  const name = app === undefined ? "" : seal(service.config.secretKeys, nameAt(to), app);
  const token = formToken(service, preSession(service, request).value, purposeOf(step, to, name));
  return html`<input type="hidden" name="form_token" value="${token}">
<input type="hidden" name="to" value="${to}">
<input type="hidden" name="app" value="${name}">`;
}

/** Returns the destination in a form, and whether the form is ours, for this browser and this step. */
export function destinationOf(
  service: Service,
  request: FastifyRequest,
  fieldOf: (name: string) => string,
  step: string,
): Destination & { genuine: boolean } {
  const [to, name] = [localPath(fieldOf("to")), fieldOf("app")];
  const visit = preSession(service, request).value;
  const genuine =
    sameOrigin(service, request) &&
    isFormToken(service, visit, purposeOf(step, fieldOf("to"), name), fieldOf("form_token"));
  return { to, app: unseal(service.config.secretKeys, nameAt(to), name), genuine };
}

const nameAt = (to: string): string => `application at ${to}`;
const purposeOf = (step: string, to: string, name: string): string =>
  `${step} ${hashOf(`${to}\0${name}`).toString("hex")}`;

const WORDS: Words<{
  title: string;
  continuing: (app: Html) => Html;
  email: string;
  password: string;
  passkey: string;
  unfinished: string;
  forgot: string;
  wait: (seconds: number) => string;
}> = {
  en: {
    title: "Sign in",
    continuing: (app) =>
      html`<p class="quiet">to continue to ${app}. The application never sees your password.</p>`,
    email: "E-mail",
    password: "Password",
    passkey: "Use a passkey",
    unfinished: "The passkey was not used. Try again, or sign in with your password.",
    forgot: "Forgot your password?",
    wait: (seconds) => `Try again ${waitIn("en", seconds)}.`,
  },
  "pt-BR": {
    title: "Entrar",
    continuing: (app) =>
      html`<p class="quiet">para continuar em ${app}. O aplicativo nunca vê a sua senha.</p>`,
    email: "E-mail",
    password: "Senha",
    passkey: "Usar chave de acesso",
    unfinished: "A chave de acesso não foi usada. Tente de novo ou entre com sua senha.",
    forgot: "Esqueceu sua senha?",
    wait: (seconds) => `Tente de novo ${waitIn("pt-BR", seconds)}.`,
  },
};
