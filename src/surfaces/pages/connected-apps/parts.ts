import type { Words } from "../../../core/locale.ts";
import type { LivingAuthorization } from "../../../domain/grants/list-authorizations.ts";
import { type Html, html } from "../../../http/response/html.ts";
import type { Reply } from "../../../http/response/reply.ts";
import { askForm, may, usedWhen, whence } from "../shared/connection.ts";
import { framed } from "../shared/frame.ts";
import { tokenField } from "../shared/parts.ts";
import type { Visitor } from "../shared/signed-in.ts";

export const CONNECTED_APPS = "/connected-apps";

interface AppWords {
  title: string;
  home: string;
  intro: string;
  none: string;
  inProject(name: Html): Html;
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
    inProject: (name) => html`In ${name}`,
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
    inProject: (name) => html`Em ${name}`,
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
  const from = whence(first, visitor.locale);
  const all =
    grants.length > 1 &&
    html`<form method="post" action="${CONNECTED_APPS}/revoke-all">
${tokenField(visitor.token)}
<input type="hidden" name="client_id" value="${first.clientId}">
<button aria-describedby="${id}">${words.all}</button>
</form>`;
  return html`<section class="app">
<header><div><h2 id="${id}"><bdi>${first.clientName}</bdi></h2>
${from && html`<p class="quiet">${from}</p>`}</div>
${all}</header>
<ul class="list">${grants.map((one) => entry(visitor, one, id))}</ul>
</section>`;
}

function entry({ locale, token }: Visitor, one: LivingAuthorization, app: string): Html {
  const words = WORDS[locale];
  const fields = html`${tokenField(token)}
<input type="hidden" name="project_id" value="${one.projectId}">
<input type="hidden" name="authorization_id" value="${one.id}">`;
  return html`<li><span>${words.inProject(html`<strong><bdi>${one.projectName}</bdi></strong>`)}
<small>${may(one, locale)}</small>
<small>${usedWhen(one, locale)}</small></span>
<span class="controls">${askForm(one, { action: `${CONNECTED_APPS}/writes`, fields, describedBy: app, locale })}
<form method="post" action="${CONNECTED_APPS}/revoke">
${fields}
<button aria-describedby="${app}">${words.revoke} <span class="unseen">${words.revokeIn(one.projectName)}</span></button>
</form></span></li>
`;
}
