import type { Words } from "../../../core/locale.ts";
import { ROLES } from "../../../core/permission.ts";
import type { ProjectGlance } from "../../../domain/projects/describe-project.ts";
import { type Html, html } from "../../../http/response/html.ts";
import { problemLine, type Refused, tokenField } from "../shared/parts.ts";
import { ROLE_NAMES } from "../shared/role-words.ts";
import type { Visitor } from "../shared/signed-in.ts";

type Word =
  | "title"
  | "what"
  | "who"
  | "owners"
  | "revoke"
  | "revokeWhat"
  | "save"
  | "mayConnect"
  | "mayNot"
  | "see";

/** The texts about who may connect applications. */
export const CONNECTING: Words<Record<Word, string>> = {
  en: {
    title: "Connecting applications",
    what: "Applications such as assistants act with the role of the member who connects them. Here you choose which roles may connect applications to this project.",
    who: "Who may connect applications",
    owners: "always",
    revoke: "Also revoke existing connections of the other roles",
    revokeWhat: "Otherwise they work until they are revoked under",
    save: "Save roles",
    mayConnect: "May connect applications",
    mayNot: "Your role may not connect applications to this project. Ask an owner or admin.",
    see: "Applications",
  },
  "pt-BR": {
    title: "Conexão de aplicativos",
    what: "Aplicativos, como assistentes, agem com o papel do membro que os conecta. Aqui você escolhe quais papéis podem conectar aplicativos a este projeto.",
    who: "Quem pode conectar aplicativos",
    owners: "sempre",
    revoke: "Revogar também as conexões existentes dos outros papéis",
    revokeWhat: "Caso contrário, elas funcionam até serem revogadas em",
    save: "Salvar papéis",
    mayConnect: "Pode conectar aplicativos",
    mayNot:
      "Seu papel não pode conectar aplicativos a este projeto. Fale com um proprietário ou administrador.",
    see: "Aplicativos",
  },
};

/** Returns the form for the roles that may connect applications, for owners and admins. */
export function connectingForm(
  { locale, token }: Visitor,
  { id, connectRoles }: ProjectGlance,
  again: Refused | undefined,
): Html {
  const [words, names] = [CONNECTING[locale], ROLE_NAMES[locale]];
  const boxes = ROLES.map((role) => {
    const always = role === "owner";
    const ticked = connectRoles.includes(role) && html` checked`;
    return html`<label class="choice"><input type="checkbox" name="role" value="${role}"${ticked}${always && html` disabled`}>
<span>${names[role]}${always && html` <span class="quiet">(${words.owners})</span>`}</span></label>`;
  });
  return html`<section aria-labelledby="connecting"><h2 id="connecting">${words.title}</h2>
<p class="quiet">${words.what}</p>
${problemLine(again?.problem)}
<form method="post" action="/projects/${id}/settings/connecting" class="narrow">${tokenField(token)}
<fieldset><legend>${words.who}</legend>${boxes}</fieldset>
<label class="choice"><input type="checkbox" name="revoke" value="others">
<span>${words.revoke}<br><small>${words.revokeWhat} <a href="/projects/${id}/settings/applications">${words.see}</a>.</small></span></label>
<div class="actions"><button>${words.save}</button></div></form></section>`;
}
