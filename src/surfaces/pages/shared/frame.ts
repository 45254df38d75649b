import { ICONS, type IconName } from "../../../core/icons.ts";
import type { Words } from "../../../core/locale.ts";
import { addressIn, navigationFor, ownPlaces } from "../../../core/navigation.ts";
import { type Html, html, htmlReply, page } from "../../../http/response/html.ts";
import type { Reply } from "../../../http/response/reply.ts";
import { tokenField } from "./parts.ts";
import type { Visitor } from "./signed-in.ts";

type Word = "account" | "out" | "menu" | "project" | "choose" | "places" | "skip" | "every";

const WORDS: Words<Record<Word, string>> = {
  en: {
    account: "Your account:",
    out: "Sign out",
    menu: "Menu",
    project: "Project:",
    choose: "Choose a project",
    places: "Places",
    skip: "Skip to the content",
    every: "All projects",
  },
  "pt-BR": {
    account: "Sua conta:",
    out: "Sair",
    menu: "Menu",
    project: "Projeto:",
    choose: "Escolha um projeto",
    places: "Lugares",
    skip: "Ir para o conteúdo",
    every: "Todos os projetos",
  },
};

/**
 * Returns a page of a signed-in person in the frame that the panel has too (web/src/frame): the person, their
 * projects, the project's screens, sign-out, and the content. Menus are popovers, which need no script.
 */
export function framed(
  visitor: Visitor,
  title: string,
  body: Html,
  status = 200,
  headers: Record<string, string> = {},
): Reply {
  const words = WORDS[visitor.locale];
  const document = html`<a class="lg-skip" href="#content">${words.skip}</a>
<header class="lg-top">
<button class="lg-button lg-only-narrow" popovertarget="places">${icon("menu")}<span class="unseen">${words.menu}</span></button>
<a class="lg-brand" href="/"><img src="/assets/leadgate.svg" alt=""><span class="lg-only-wide">Leadgate</span><span class="unseen lg-only-narrow">Leadgate</span></a>
${projectMenu(visitor)}
<span class="lg-gap"></span>
${accountMenu(visitor)}
</header>
<div class="lg-frame">
${sideNavigation(visitor)}
<main class="lg-main" id="content"><div class="sheet">
${body}
</div></main>
</div>
<script src="/assets/once.js" defer></script>`;
  return htmlReply(
    status,
    page({ title, body: document, lang: visitor.locale, look: visitor.look }),
    headers,
  );
}

function projectMenu({ locale, projects, project }: Visitor): Html {
  const words = WORDS[locale];
  if (projects.length === 0) return html``;
  const link = ({ id, name }: { id: string; name: string }) =>
    html`<li><a class="lg-place" href="${addressIn(id, "")}"${project?.id === id ? html` aria-current="true"` : ""}><bdi>${name}</bdi></a></li>`;
  const shown = project === undefined ? html`<span>${words.choose}</span>` : html`<bdi>${project.name}</bdi>`;
  return html`<div class="lg-divided"><button class="lg-button" popovertarget="projects"><span class="unseen">${words.project} </span>${shown}${icon("choose")}</button></div>
<nav class="lg-sheet-menu lg-at-start" id="projects" popover aria-label="${words.choose}"><ul class="lg-plain">${projects.map(link)}</ul>
<hr><a class="lg-place" href="/">${icon("projects")}${words.every}</a></nav>`;
}

function accountMenu({ locale, person, token, path }: Visitor): Html {
  const words = WORDS[locale];
  const link = ({ address, icon: of, name }: ReturnType<typeof ownPlaces>[number]) =>
    html`<li><a class="lg-place" href="${address}"${address === path ? html` aria-current="page"` : ""}>${icon(of)}${name[locale]}</a></li>`;
  return html`<button class="lg-button" popovertarget="self">${icon("account")}<span class="unseen">${words.account} </span><bdi>${person.name}</bdi></button>
<div class="lg-sheet-menu lg-at-end" id="self" popover>
<p><bdi>${person.email}</bdi></p>
<ul class="lg-plain">${ownPlaces(person).map(link)}</ul>
<hr><form method="post" action="/sign-out">
${tokenField(token)}
<button class="lg-place">${icon("out")}${words.out}</button>
</form></div>`;
}

/** Returns links to the project's screens, or to the person's own if the page belongs to no project. */
function sideNavigation({ locale, person, project, path }: Visitor): Html {
  const entry = (address: string, of: IconName, name: string) =>
    html`<li><a class="lg-place" href="${address}"${address === path ? html` aria-current="page"` : ""}>${icon(of)}${name}</a></li>`;
  const groups =
    project === undefined
      ? [
          html`<ul>${ownPlaces(person).map(({ address, icon: of, name }) => entry(address, of, name[locale]))}</ul>`,
        ]
      : navigationFor(project.role).map(
          ({ name, places }) => html`${name === undefined ? "" : html`<h2>${name[locale]}</h2>`}
<ul>${places.map((place) => entry(addressIn(project.id, place.path), place.icon, place.name[locale]))}</ul>`,
        );
  return html`<nav class="lg-side" id="places" popover aria-label="${WORDS[locale].places}">${groups}</nav>`;
}

const icon = (name: IconName): Html =>
  html`<svg class="lg-icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;
