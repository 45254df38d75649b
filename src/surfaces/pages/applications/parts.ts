import type { Connection } from "../../../domain/grants/list-connections.ts";
import { type Html, html } from "../../../http/response/html.ts";
import { askForm, may, usedWhen, whence } from "../shared/connection.ts";
import { tokenField } from "../shared/parts.ts";
import { ROLE_NAMES } from "../shared/role-words.ts";
import type { Visitor } from "../shared/signed-in.ts";
import { APPLICATION_WORDS } from "./words.ts";

/** What a form of the page revokes: one connection, or all of an application, a member, some roles or the project. */
type Which = "connection" | "application" | "member" | "others" | "all";

/** The visitor and the project, as the parts of the page need them. */
export interface View {
  visitor: Visitor;
  projectId: string;
}

function revokeForm({ visitor, projectId }: View, what: { which: Which; id?: string }, button: Html): Html {
  return html`<form method="post" action="/projects/${projectId}/settings/applications/revoke">${tokenField(visitor.token)}
<input type="hidden" name="which" value="${what.which}">${what.id !== undefined && html`<input type="hidden" name="id" value="${what.id}">`}
${button}</form>`;
}

/** Returns one connection: the application, the member, what it may do and when it was used, and how to revoke it. */
export function connectionEntry(view: View, one: Connection): Html {
  const { locale, project } = view.visitor;
  const words = APPLICATION_WORDS[locale];
  const from = whence(one, locale);
  return html`<li><span><strong id="${one.id}"><bdi>${one.clientName}</bdi></strong>
${from && html`<small>${from}</small>`}
<small><bdi>${one.personName}</bdi> · <bdi>${one.email}</bdi> · ${ROLE_NAMES[locale][one.role]}</small>
${!one.mayConnect && html`<small><span class="tag">${words.noLonger}</span></small>`}
<small>${may(one, locale)}</small>
<small>${usedWhen(one, locale, project?.timezone)}</small></span>
${controls(view, one)}</li>
`;
}

/** The visitor's own connection: only who granted it decides whether it asks. */
function ownForm({ visitor, projectId }: View, one: Connection): Html | false {
  const fields = html`${tokenField(visitor.token)}<input type="hidden" name="id" value="${one.id}">`;
  const action = `/projects/${projectId}/settings/applications/writes`;
  return askForm(one, { action, fields, describedBy: one.id, locale: visitor.locale });
}

function controls(view: View, one: Connection): Html {
  const words = APPLICATION_WORDS[view.visitor.locale];
  const { id, clientId, personId, ofApplication, ofPerson } = one;
  const form = (which: Which, of: string, text: string) =>
    revokeForm(
      view,
      { which, id: of },
      html`<button class="danger" aria-describedby="${id}">${text}</button>`,
    );
  return html`<div class="controls">${personId === view.visitor.person.id && ownForm(view, one)}
<details><summary aria-describedby="${id}">${words.revoke}</summary>
<p>${words.revokeWhat}</p>
<div class="controls">${form("connection", id, words.one)}
${ofApplication > 1 && form("application", clientId, words.ofApplication(ofApplication))}
${ofPerson > 1 && form("member", personId, words.ofMember(ofPerson))}</div></details></div>`;
}

/** Returns how many connections belong to roles that may no longer connect applications, and a button to revoke them. */
export function othersNotice(view: View, count: number): Html | undefined {
  if (count === 0) return undefined;
  const words = APPLICATION_WORDS[view.visitor.locale];
  return html`<div class="notice">${words.others(count)}
<div class="controls"><details><summary>${words.revoke}</summary>
${revokeForm(view, { which: "others" }, html`<button class="danger">${words.revokeAll(count)}</button>`)}</details></div></div>`;
}

/** Returns the form that revokes all connections, folded so that one press does not. */
export function revokeAllForm(view: View, count: number): Html | undefined {
  if (count < 2) return undefined;
  const words = APPLICATION_WORDS[view.visitor.locale];
  return html`<div class="controls"><details><summary>${words.all}</summary>
<p>${words.allWhat}</p>
${revokeForm(view, { which: "all" }, html`<button class="danger">${words.revokeAll(count)}</button>`)}</details></div>`;
}
