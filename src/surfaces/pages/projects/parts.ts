import type { Words } from "../../../core/locale.ts";
import { manages } from "../../../core/permission.ts";
import { perform } from "../../../domain/operation/operation.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import { listOwnProjects } from "../../../domain/projects/list-own-projects.ts";
import type { OwnProject } from "../../../domain/tenancy/list-projects.ts";
import { type Html, html } from "../../../http/response/html.ts";
import type { Reply } from "../../../http/response/reply.ts";
import { framed } from "../shared/frame.ts";
import { problemLine, type Refused, tokenField } from "../shared/parts.ts";
import { ROLE_NAMES } from "../shared/role-words.ts";
import type { Visitor } from "../shared/signed-in.ts";

const WORDS: Words<Record<"title" | "none" | "ask" | "keys" | "create" | "name" | "whose", string>> = {
  en: {
    title: "Projects",
    none: "You do not have any projects yet. Create one here, or ask an owner to invite you at",
    ask: "A project contains leads. You become its owner and can invite others. Time zone, country and currency follow your browser's language at first; you can change them under Settings, Project.",
    keys: "API keys",
    create: "Create a project",
    name: "Name",
    whose: "Whose leads are these?",
  },
  "pt-BR": {
    title: "Projetos",
    none: "Você ainda não tem nenhum projeto. Crie um aqui ou peça a um proprietário para convidar você em",
    ask: "Um projeto contém leads. Você será o proprietário e poderá convidar outras pessoas. Fuso horário, país e moeda seguem inicialmente o idioma do navegador; altere-os em Configurações, Projeto.",
    keys: "Chaves de API",
    create: "Criar um projeto",
    name: "Nome",
    whose: "De quem são estes leads?",
  },
};

/**
 * Returns the page with a person's projects and the form for a new one; `again` is a form that was refused.
 */
export async function projectsPage(
  service: Service,
  visitor: Visitor,
  again?: Refused & { name: string },
): Promise<Reply> {
  const words = WORDS[visitor.locale];
  const projects = await perform(service, listOwnProjects, visitor, {});
  const list =
    projects.length === 0
      ? html`<p>${words.none} <strong><bdi>${visitor.person.email}</bdi></strong>.</p>`
      : html`<ul class="list">${projects.map((project) => entry(project, visitor))}</ul>`;
  const body = html`<h1>${words.title}</h1>
${list}
<section aria-labelledby="create">
<h2 id="create">${words.create}</h2>
<p class="quiet">${words.ask}</p>
${problemLine(again?.problem)}
<form method="post" action="/projects">
${tokenField(visitor.token)}
<label>${words.name} <input name="name" value="${again?.name}" maxlength="200" placeholder="${words.whose}" required></label>
<div class="actions"><button class="${projects.length === 0 ? "primary" : ""}">${words.create}</button></div>
</form>
</section>`;
  return framed(visitor, words.title, body, again?.status, again?.headers);
}

function entry({ id, name, role }: OwnProject, { locale }: Visitor): Html {
  const keys = html` · <a href="/projects/${id}/settings/api-keys">${WORDS[locale].keys}</a>`;
  return html`<li><a href="/projects/${id}"><bdi>${name}</bdi></a>
<span class="quiet">${ROLE_NAMES[locale][role]}${manages(role) ? keys : ""}</span></li>`;
}
