import { ROLES, type Role } from "../../../core/permission.ts";
import type { PendingInvitation, ProjectMember } from "../../../domain/projects/members/list-members.ts";
import { dayIn } from "../../../http/request/locale.ts";
import { type Html, html } from "../../../http/response/html.ts";
import { copyButton } from "../shared/copy.ts";
import { tokenField } from "../shared/parts.ts";
import { ROLE_ABILITIES, ROLE_NAMES } from "../shared/role-words.ts";
import type { Visitor } from "../shared/signed-in.ts";
import { MEMBER_WORDS } from "./words.ts";

/** The visitor and the project, as the parts of the page need them. */
export interface View {
  visitor: Visitor;
  projectId: string;
  /** The visitor's role. */
  own: Role;
}

/** Returns the roles that a member may give: only owners make owners. */
const givable = (own: Role): readonly Role[] => ROLES.filter((role) => own === "owner" || role !== "owner");

/** Returns one member with the actions that the visitor may take. */
export function memberEntry(view: View, member: ProjectMember): Html {
  const { visitor, own } = view;
  const words = MEMBER_WORDS[visitor.locale];
  const isSelf = member.id === visitor.person.id;
  const mayTouch = own === "owner" || member.role !== "owner";
  return html`<li><span><strong><bdi>${member.name}</bdi></strong>${isSelf ? ` (${words.you})` : ""}${member.verified ? "" : html` <span class="tag">${words.unverified}</span>`}<br>
<span class="quiet"><bdi>${member.email}</bdi> · ${words.since} ${dayIn(visitor.locale, member.since)}</span></span>
${mayTouch ? controls(view, member) : html`<span>${ROLE_NAMES[visitor.locale][member.role]}</span>`}</li>`;
}

function controls({ visitor, projectId, own }: View, { id, name, role }: ProjectMember): Html {
  const words = MEMBER_WORDS[visitor.locale];
  const address = `/projects/${projectId}/settings/members/${id}`;
  return html`<div class="controls"><form method="post" action="${address}/role">${tokenField(visitor.token)}
<select name="role" aria-label="${words.role} ${name}">${givable(own).map((each) => option(visitor, each, role))}</select>
<button aria-label="${words.change}: ${name}">${words.change}</button></form>
<details><summary aria-label="${words.remove} ${name}">${words.remove}</summary>
<form method="post" action="${address}/remove">${tokenField(visitor.token)}
<p>${words.removeWhat}</p><button class="danger" aria-label="${words.remove} ${name}">${words.remove.replace("…", "")}</button></form></details></div>`;
}

const option = ({ locale }: Visitor, role: Role, chosen: Role): Html =>
  html`<option value="${role}"${role === chosen ? html` selected` : ""}>${ROLE_NAMES[locale][role]}</option>`;

/** Returns the pending invitations. */
export function invitationList(view: View, invitations: readonly PendingInvitation[]): Html | undefined {
  if (invitations.length === 0) return undefined;
  return html`<h2>${MEMBER_WORDS[view.visitor.locale].open}</h2>
<ul class="list">${invitations.map((one) => invitationEntry(view, one))}</ul>`;
}

function invitationEntry({ visitor, projectId, own }: View, invitation: PendingInvitation): Html {
  const { locale, token } = visitor;
  const words = MEMBER_WORDS[locale];
  const { id, email, role, invitedBy, expiresAt } = invitation;
  const by = invitedBy === null ? "" : html` · ${words.by} <bdi>${invitedBy}</bdi>`;
  const address = `/projects/${projectId}/settings/members/invitations/${id}/withdraw`;
  const withdraw = html`<form method="post" action="${address}">${tokenField(token)}
<button aria-label="${words.withdraw}: ${email}">${words.withdraw}</button></form>`;
  return html`<li><span><bdi>${email}</bdi><br>
<span class="quiet">${ROLE_NAMES[locale][role]} · ${words.until} ${dayIn(locale, expiresAt)}${by}</span></span>
${own === "owner" || role !== "owner" ? withdraw : ""}</li>`;
}

/** Returns the link of a new invitation, which is shown once, or a message that it was mailed. */
export function freshInvitation(
  { visitor }: View,
  { email, link }: { email: string; link: string | undefined },
): Html {
  const words = MEMBER_WORDS[visitor.locale];
  const shown = html`<p>${words.freshWhat}</p>
<pre><code id="new-link">${link}</code></pre>${copyButton(visitor.locale, "link")}`;
  return html`<section class="fresh" role="status">
<h2>${words.fresh} <bdi>${email}</bdi></h2>
${link === undefined ? html`<p>${words.freshMailed}</p>` : shown}
</section>`;
}

/** Returns the form for an invitation's e-mail and role. */
export function inviteForm(view: View, more: { email: string; role: string }): Html {
  const { visitor, projectId, own } = view;
  const words = MEMBER_WORDS[visitor.locale];
  const choices = givable(own).map(
    (
      role,
    ) => html`<label class="choice"><input type="radio" name="role" value="${role}" required${role === more.role ? html` checked` : ""}>
<span>${ROLE_NAMES[visitor.locale][role]}<br><span class="quiet">${ROLE_ABILITIES[visitor.locale][role]}</span></span></label>`,
  );
  return html`<form method="post" action="/projects/${projectId}/settings/members/invite">
${tokenField(visitor.token)}
<label>${words.email} <input name="email" type="email" value="${more.email}" maxlength="254" required></label>
<fieldset><legend>${words.role.replace(/ (of|de)$/, "")}</legend>${choices}</fieldset>
<div class="actions"><button class="primary">${words.send}</button></div>
</form>`;
}
