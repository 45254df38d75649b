import type { FastifyRequest } from "fastify";
import { isRole, type Role } from "../../../core/permission.ts";
import { Refusal } from "../../../core/refusal.ts";
import type { InProject } from "../../../domain/operation/callers.ts";
import { type Operation, perform } from "../../../domain/operation/operation.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import { inviteMember } from "../../../domain/projects/invitations/invite-member.ts";
import { withdrawInvitation } from "../../../domain/projects/invitations/withdraw-invitation.ts";
import { changeRole } from "../../../domain/projects/members/change-role.ts";
import { listMembers } from "../../../domain/projects/members/list-members.ts";
import { removeMember } from "../../../domain/projects/members/remove-member.ts";
import { html, seeOther } from "../../../http/response/html.ts";
import type { Reply } from "../../../http/response/reply.ts";
import type { Route } from "../../../http/route/route.ts";
import { framed } from "../shared/frame.ts";
import { problemLine, type Refused, refusedForm } from "../shared/parts.ts";
import { fieldOf, formOfVisitor, type Visitor, visitorOf } from "../shared/signed-in.ts";
import { freshInvitation, invitationList, inviteForm, memberEntry, type View } from "./parts.ts";
import { MEMBER_WORDS } from "./words.ts";

const ADDRESS = "/projects/:project/settings/members";

type Posted = Awaited<ReturnType<typeof formOfVisitor>>;

/** What the page shows besides the members: a new invitation, or a refused form and its values. */
interface More {
  fresh?: { email: string; link: string | undefined };
  refused?: Refused;
  email?: string;
  role?: string;
}

/** Settings → Members: the members with their roles, and invitations. For owners and admins. */
export const memberRoutes: Route[] = [
  {
    method: "GET",
    url: ADDRESS,
    handle: async (service, request) => await show(service, request, await visitorOf(service, request)),
  },
  {
    method: "POST",
    url: `${ADDRESS}/invite`,
    async handle(service, request) {
      const visitor = await formOfVisitor(service, request);
      const [email, role] = [fieldOf(visitor.form, "email"), fieldOf(visitor.form, "role")];
      const { project: projectId } = request.params as { project: string };
      try {
        const at = { personId: visitor.person.id, projectId };
        const input = { email, role: roleOf(role), locale: visitor.locale };
        const { link } = await perform(service, inviteMember, at, input);
        return await show(service, request, visitor, { fresh: { email: email.trim(), link } });
      } catch (error) {
        const refused = refusedForm(visitor.locale, error);
        return await show(service, request, visitor, { refused, email, role });
      }
    },
  },
  change(`${ADDRESS}/:person/role`, changeRole, ({ person: personId = "" }, { form }) => ({
    personId,
    role: roleOf(fieldOf(form, "role")),
  })),
  change(`${ADDRESS}/:person/remove`, removeMember, ({ person: personId = "" }) => ({ personId })),
  change(
    `${ADDRESS}/invitations/:invitation/withdraw`,
    withdrawInvitation,
    ({ invitation: invitationId = "" }) => ({ invitationId }),
  ),
];

/**
 * Returns a route of a form that redirects to the list after its change; people who removed themselves are
 * sent to the start page.
 */
function change<Input>(
  url: string,
  operation: Operation<InProject, Input, void>,
  inputOf: (params: Record<string, string>, posted: Posted) => Input,
): Route {
  return {
    method: "POST",
    url,
    async handle(service, request) {
      const posted = await formOfVisitor(service, request);
      const params = request.params as Record<string, string>;
      const at = { personId: posted.person.id, projectId: params.project ?? "" };
      try {
        await perform(service, operation, at, inputOf(params, posted));
      } catch (error) {
        return await show(service, request, posted, { refused: refusedForm(posted.locale, error) });
      }
      return seeOther(params.person === at.personId ? "/" : `/projects/${at.projectId}/settings/members`);
    },
  };
}

function roleOf(text: string): Role {
  if (isRole(text)) return text;
  throw new Refusal("malformed", "bad_role", "Choose one of the roles in the list.");
}

async function show(
  service: Service,
  request: FastifyRequest,
  visitor: Visitor,
  { fresh, refused, email = "", role = "editor" }: More = {},
): Promise<Reply> {
  const { project: projectId } = request.params as { project: string };
  const { members, invitations } = await perform(
    service,
    listMembers,
    { personId: visitor.person.id, projectId },
    {},
  );
  const own = members.find(({ id }) => id === visitor.person.id)?.role ?? "viewer";
  const view: View = { visitor, projectId, own };
  const words = MEMBER_WORDS[visitor.locale];
  const body = html`<h1>${words.title}</h1>
${fresh === undefined ? "" : freshInvitation(view, fresh)}
${problemLine(refused?.problem)}
<ul class="list">${members.map((member) => memberEntry(view, member))}</ul>
${invitationList(view, invitations)}
<h2>${words.invite}</h2>
<p class="quiet">${service.mailer === undefined ? words.inviteWhat : words.inviteMails}</p>
${inviteForm(view, { email, role })}`;
  return framed(visitor, words.title, body, refused?.status, refused?.headers);
}
