import { isRole, ROLES, type Role } from "../core/permission.ts";
import { perform } from "../domain/operation/operation.ts";
import { inviteMember } from "../domain/projects/invitations/invite-member.ts";
import { addMember } from "../domain/projects/members/add-member.ts";
import { type Command, type Options, text, UsageError } from "./command.ts";
import { verifiedPersonByEmail } from "./person-by-email.ts";

/** Both commands take a project, a person and a role. */
const WHO = {
  options: { project: { type: "string" }, email: { type: "string" }, role: { type: "string" } },
  required: ["project", "email", "role"],
} as const;

function roleOf(options: Options): Role {
  const role = text(options, "role");
  if (!isRole(role)) throw new UsageError(`--role must be one of ${ROLES.join(", ")}`);
  return role;
}

export const memberAdd: Command = {
  name: "member add",
  usage:
    "member add --project ID --email ADDRESS --role owner|admin|editor|viewer   (a person who has an account, or another role for a member)",
  ...WHO,
  async run({ options, service }) {
    const role = roleOf(options);
    const opened = await service();
    const person = await verifiedPersonByEmail(opened.db, text(options, "email"));
    await addMember(opened, { projectId: text(options, "project"), personId: person.id, role });
    return { id: person.id };
  },
};

export const memberInvite: Command = {
  name: "member invite",
  usage:
    "member invite --project ID --email ADDRESS --role owner|admin|editor|viewer   (mails a link with SMTP_URL, otherwise prints it)",
  ...WHO,
  makesLinks: true,
  mails: "the invitation",
  async run({ options, service }) {
    const role = roleOf(options);
    const opened = await service();
    const [projectId, email] = [text(options, "project"), text(options, "email")];
    const input = { email, role, locale: "en" } as const;
    const { id, link } = await perform(opened, inviteMember, { personId: null, projectId }, input);
    return link === undefined ? { id, mailed: true } : { id, link };
  },
};
