import type { Words } from "../../../core/locale.ts";
import { addressIn, HOME } from "../../../core/navigation.ts";
import { manages } from "../../../core/permission.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import { createProject } from "../../../domain/projects/create-project.ts";
import { guessPlace } from "../../../domain/projects/guess-place.ts";
import { listProjects, type OwnProject } from "../../../domain/tenancy/list-projects.ts";
import { type Html, html, seeOther } from "../../../http/response/html.ts";
import type { Reply } from "../../../http/response/reply.ts";
import type { Route } from "../../../http/route/route.ts";
import { START } from "../shared/after-sign-in.ts";
import { framed } from "../shared/frame.ts";
import { problemLine, type Refused, refusedForm, tokenField } from "../shared/parts.ts";
import { ROLE_NAMES } from "../shared/role-words.ts";
import { fieldOf, formOfVisitor, type Visitor, visitorOf } from "../shared/signed-in.ts";

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

/** A person's projects, the form for a new one, and where one begins after signing in: in one's project, if there is one alone. */
export const homeRoutes: Route[] = [
  {
    method: "GET",
    url: START,
    async handle(service, request) {
      const { projects } = await visitorOf(service, request);
      const [only, another] = projects;
      return seeOther(only === undefined || another !== undefined ? "/" : addressIn(only.id, HOME));
    },
  },
  {
    method: "GET",
    url: "/",
    handle: async (service, request) => await show(service, await visitorOf(service, request)),
  },
  {
    method: "POST",
    url: "/projects",
    async handle(service, request) {
      const visitor = await formOfVisitor(service, request);
      const name = fieldOf(visitor.form, "name");
      try {
        const place = await guessPlace(service.db, request.headers["accept-language"]);
        const { id } = await createProject(service, { ...place, name, personId: visitor.person.id });
        return seeOther(`/projects/${id}`);
      } catch (error) {
        return await show(service, visitor, { ...refusedForm(visitor.locale, error), name });
      }
    },
  },
];

async function show(service: Service, visitor: Visitor, again?: Refused & { name: string }): Promise<Reply> {
  const words = WORDS[visitor.locale];
  const projects = await listProjects(service.db, visitor.person.id);
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
