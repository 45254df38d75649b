import { perform } from "../../../domain/operation/operation.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import { deleteAccount, listProjectsOwnedAlone } from "../../../domain/projects/delete-account.ts";
import { listOwnProjects } from "../../../domain/projects/list-own-projects.ts";
import type { OwnProject } from "../../../domain/tenancy/list-projects.ts";
import { type Html, html, htmlReply, page } from "../../../http/response/html.ts";
import type { Reply } from "../../../http/response/reply.ts";
import type { Route } from "../../../http/route/route.ts";
import { noSessionCookie } from "../../../http/session/session.ts";
import { framed } from "../shared/frame.ts";
import { problemLine, type Refused, refusedForm, tokenField } from "../shared/parts.ts";
import { fieldOf, formOfVisitor, type Visitor, visitorOf } from "../shared/signed-in.ts";
import { DELETE_WORDS } from "./delete-words.ts";

const ADDRESS = "/account/delete";

/** The page that deletes an account: it lists the effects and asks for the password. */
export const deleteAccountRoutes: Route[] = [
  {
    method: "GET",
    url: ADDRESS,
    handle: async (service, request) => await show(service, await visitorOf(service, request)),
  },
  {
    method: "POST",
    url: ADDRESS,
    async handle(service, request) {
      const visitor = await formOfVisitor(service, request);
      try {
        await perform(service, deleteAccount, visitor, { password: fieldOf(visitor.form, "password") });
      } catch (error) {
        return await show(service, visitor, refusedForm(visitor.locale, error));
      }
      const { gone, goneWhat } = DELETE_WORDS[visitor.locale];
      const body = html`<main class="card"><h1>${gone}</h1><p>${goneWhat}</p></main>`;
      const document = page({ title: gone, body, lang: visitor.locale });
      return htmlReply(200, document, { "Set-Cookie": noSessionCookie(service) });
    },
  },
];

async function show(service: Service, visitor: Visitor, again?: Refused): Promise<Reply> {
  const words = DELETE_WORDS[visitor.locale];
  const projects = await perform(service, listOwnProjects, visitor, {});
  const alone = new Set(await perform(service, listProjectsOwnedAlone, visitor, {}));
  const held = projects.filter(({ id }) => alone.has(id));
  const body = html`<nav class="crumbs"><a href="/account">${words.account}</a></nav>
<h1>${words.title}</h1>
${problemLine(again?.problem)}
${held.length > 0 ? handOver(visitor, held) : confirm(visitor, projects)}`;
  return framed(visitor, words.title, body, again?.status, again?.headers);
}

function handOver({ locale }: Visitor, projects: readonly OwnProject[]): Html {
  const words = DELETE_WORDS[locale];
  return html`<h2>${words.alone}</h2>
<p>${words.aloneWhat}</p>
<ul class="list">${projects.map(
    ({ id, name }) => html`<li><strong><bdi>${name}</bdi></strong>
<span><a href="/projects/${id}/settings/members">${words.handOver}</a> · <a href="/projects/${id}/settings#end">${words.orDelete}</a></span></li>`,
  )}</ul>`;
}

function confirm({ locale, person, token }: Visitor, projects: readonly OwnProject[]): Html {
  const words = DELETE_WORDS[locale];
  const left = html`<li>${words.projects} ${projects.map(({ name }, at) => html`${at === 0 ? "" : ", "}<strong><bdi>${name}</bdi></strong>`)}.</li>`;
  return html`<p>${words.now}</p>
<ul>${projects.length === 0 ? "" : left}
<li>${words.apps}</li><li>${words.sessions}</li><li>${words.keys}</li><li>${words.log}</li></ul>
<p><strong>${words.forGood}</strong></p>
<form method="post" action="${ADDRESS}" class="narrow">${tokenField(token)}
<input type="text" value="${person.email}" autocomplete="username" readonly hidden>
<label>${words.password} <input name="password" type="password" autocomplete="current-password" required></label>
<div class="actions"><button class="danger">${words.button}</button></div></form>`;
}
