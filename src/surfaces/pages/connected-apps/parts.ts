import type { Locale, Words } from "../../../core/locale.ts";
import { isDocumentAddress } from "../../../domain/clients/document-address.ts";
import { placeOfRedirect } from "../../../domain/clients/redirect-uri.ts";
import type { LivingAuthorization } from "../../../domain/grants/list-authorizations.ts";
import { dayIn } from "../../../http/request/locale.ts";
import { type Html, html } from "../../../http/response/html.ts";
import type { Reply } from "../../../http/response/reply.ts";
import { framed } from "../shared/frame.ts";
import { tokenField } from "../shared/parts.ts";
import type { Visitor } from "../shared/signed-in.ts";

export const CONNECTED_APPS = "/connected-apps";

interface AppWords {
  title: string;
  home: string;
  intro: string;
  none: string;
  returns: string;
  knownBy: string;
  inProject(name: Html): Html;
  reads: string;
  writes: string;
  onlyWrites: string;
  since(day: string): string;
  unused: string;
  used(day: string): string;
  revoke: string;
  revokeIn(project: string): string;
  all: string;
}

const WORDS: Words<AppWords> = {
  en: {
    title: "Connected apps",
    home: "Projects",
    intro: "These applications access leads on your behalf. Revoking takes effect with their next request.",
    none: "You have not connected any applications.",
    returns: "returns to",
    knownBy: "identified by its page at",
    inProject: (name) => html`In ${name}`,
    reads: "Can read.",
    writes: "Can read, create, edit and delete.",
    onlyWrites: "Can create, edit and delete.",
    since: (day) => `Since ${day}`,
    unused: "not used yet",
    used: (day) => `last used ${day}`,
    revoke: "Revoke",
    revokeIn: (project) => `in ${project}`,
    all: "Revoke all",
  },
  "pt-BR": {
    title: "Aplicativos conectados",
    home: "Projetos",
    intro:
      "Estes aplicativos acessam leads em seu nome. A revogação vale a partir da próxima solicitação deles.",
    none: "Você não conectou nenhum aplicativo.",
    returns: "volta a",
    knownBy: "identificado pela página em",
    inProject: (name) => html`Em ${name}`,
    reads: "Pode ler.",
    writes: "Pode ler, criar, editar e excluir.",
    onlyWrites: "Pode criar, editar e excluir.",
    since: (day) => `Desde ${day}`,
    unused: "ainda não usado",
    used: (day) => `usado pela última vez em ${day}`,
    revoke: "Revogar",
    revokeIn: (project) => `em ${project}`,
    all: "Revogar todos",
  },
};

/** Returns the page of a person's applications, with a section for each. */
export function connectedAppsPage(visitor: Visitor, granted: readonly LivingAuthorization[]): Reply {
  const words = WORDS[visitor.locale];
  const apps = [...Map.groupBy(granted, ({ clientId }) => clientId).values()];
  const list =
    apps.length === 0
      ? html`<p class="quiet">${words.none}</p>`
      : apps.map((grants, index) => section(visitor, grants, `app-${index}`));
  const body = html`<h1>${words.title}</h1>
<p>${words.intro}</p>
${list}`;
  return framed(visitor, words.title, body);
}

function section(visitor: Visitor, grants: readonly LivingAuthorization[], id: string): Html | false {
  const [first] = grants;
  if (first === undefined) return false;
  const words = WORDS[visitor.locale];
  const all =
    grants.length > 1 &&
    html`<form method="post" action="${CONNECTED_APPS}/revoke-all">
${tokenField(visitor.token)}
<input type="hidden" name="client_id" value="${first.clientId}">
<button aria-describedby="${id}">${words.all}</button>
</form>`;
  return html`<section class="app">
<header><div><h2 id="${id}"><bdi>${first.clientName}</bdi></h2>
${whence(first, words)}</div>
${all}</header>
<ul class="list">${grants.map((one) => entry(visitor, one, id))}</ul>
</section>`;
}

/** Returns what distinguishes applications of the same name: the host of the document and of the redirect URIs. */
function whence({ clientId, redirectUris }: LivingAuthorization, words: AppWords): Html | false {
  const places = [...new Set((redirectUris ?? []).map(placeOfRedirect))];
  const parts = [
    isDocumentAddress(clientId) && html`${words.knownBy} <bdi>${new URL(clientId).host}</bdi>`,
    places.length > 0 && html`${words.returns} ${joined(places.map((place) => html`<bdi>${place}</bdi>`))}`,
  ].filter((part) => part !== false);
  return parts.length > 0 && html`<p class="quiet">${joined(parts)}</p>`;
}

const joined = (parts: readonly Html[]): Html[] =>
  parts.map((part, at) => (at === 0 ? part : html`, ${part}`));

function entry({ locale, token }: Visitor, one: LivingAuthorization, app: string): Html {
  const words = WORDS[locale];
  const used = one.lastUsedAt === null ? words.unused : words.used(dayIn(locale, one.lastUsedAt));
  return html`<li><span>${words.inProject(html`<strong><bdi>${one.projectName}</bdi></strong>`)}
<small>${may(one, locale)}</small>
<small>${words.since(dayIn(locale, one.createdAt))}, ${used}</small></span>
<form method="post" action="${CONNECTED_APPS}/revoke">
${tokenField(token)}
<input type="hidden" name="project_id" value="${one.projectId}">
<input type="hidden" name="authorization_id" value="${one.id}">
<button aria-describedby="${app}">${words.revoke} <span class="unseen">${words.revokeIn(one.projectName)}</span></button>
</form></li>
`;
}

function may({ scopes }: LivingAuthorization, locale: Locale): string {
  const words = WORDS[locale];
  if (!scopes.includes("mcp:write")) return words.reads;
  return scopes.includes("mcp:read") ? words.writes : words.onlyWrites;
}
