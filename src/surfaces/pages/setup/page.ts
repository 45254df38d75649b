import type { Locale, Words } from "../../../core/locale.ts";
import { perform } from "../../../domain/operation/operation.ts";
import { checkSetUp, setUp } from "../../../domain/projects/set-up.ts";
import { localeOf } from "../../../http/request/locale.ts";
import { type Html, html, htmlReply, page, seeOther } from "../../../http/response/html.ts";
import type { Route } from "../../../http/route/route.ts";
import { browserOf } from "../../../http/session/browser.ts";
import { sameOrigin, signInCookies } from "../../../http/session/session.ts";
import { START } from "../shared/after-sign-in.ts";
import { faultOf, marked, problemAbove, type Refused, refusedForm } from "../shared/parts.ts";
import { fieldOf, formOf, staleForm } from "../shared/signed-in.ts";

const ADDRESS = "/setup/:link";

interface Filled {
  email: string;
  name: string;
  project: string;
}

/** Creates the first owner's account, from the one-time link that the console printed. */
export const setUpRoutes: Route[] = [
  {
    method: "GET",
    url: ADDRESS,
    async handle(service, request) {
      const link = linkOf(request.params);
      await perform(service, checkSetUp, browserOf(service, request), { link });
      const empty = { email: "", name: "", project: "" };
      return htmlReply(200, form(localeOf(request), link, empty));
    },
  },
  {
    method: "POST",
    url: ADDRESS,
    async handle(service, request) {
      if (!sameOrigin(service, request)) throw staleForm();
      const link = linkOf(request.params);
      const sent = formOf(request);
      const filled = {
        email: fieldOf(sent, "email"),
        name: fieldOf(sent, "name"),
        project: fieldOf(sent, "project"),
      };
      try {
        const password = fieldOf(sent, "password");
        const entered = await perform(service, setUp, browserOf(service, request), {
          ...filled,
          link,
          password,
          languages: request.headers["accept-language"],
        });
        return seeOther(START, { "Set-Cookie": signInCookies(service, request, entered) });
      } catch (error) {
        const again = refusedForm(localeOf(request), error);
        return htmlReply(again.status, form(localeOf(request), link, filled, again), again.headers);
      }
    },
  },
];

const linkOf = (params: unknown): string => (params as { link: string }).link;

type Word =
  | "title"
  | "welcome"
  | "first"
  | "name"
  | "email"
  | "password"
  | "hint"
  | "project"
  | "whose"
  | "create";

const WORDS: Words<Record<Word, string>> = {
  en: {
    title: "Set up",
    welcome: "Welcome to Leadgate",
    first: "You are the first user. Create your account and your first project.",
    name: "Your name",
    email: "E-mail",
    password: "Password",
    hint: "At least 8 characters; a long sentence is best.",
    project: "Project",
    whose: "Whose leads are these?",
    create: "Create",
  },
  "pt-BR": {
    title: "Configuração inicial",
    welcome: "Boas-vindas ao Leadgate",
    first: "Você é a primeira pessoa a usar este serviço. Crie sua conta e seu primeiro projeto.",
    name: "Seu nome",
    email: "E-mail",
    password: "Senha",
    hint: "Pelo menos 8 caracteres; o melhor é uma frase longa.",
    project: "Projeto",
    whose: "De quem são estes leads?",
    create: "Criar",
  },
};

function form(locale: Locale, link: string, filled: Filled, again?: Refused): Html {
  const words = WORDS[locale];
  const body = html`<main class="card">
<h1>${words.welcome}</h1>
<p>${words.first}</p>
${problemAbove(again)}
<form method="post" action="/setup/${link}">
<label>${words.name} <input name="name" value="${filled.name}" autocomplete="name" required autofocus></label>
<label>${words.email} <input name="email" type="email" value="${filled.email}" autocomplete="username" required></label>
<label>${words.password} <input name="password" type="password" autocomplete="new-password" minlength="8" required${marked("password", again?.wrong)}>
<small>${words.hint}</small></label>
${faultOf("password", again?.wrong)}
<label>${words.project} <input name="project" value="${filled.project}" placeholder="${words.whose}" required></label>
<div class="actions"><button class="primary">${words.create}</button></div>
</form>
</main>`;
  return page({ title: words.title, body, lang: locale });
}
