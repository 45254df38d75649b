import { isRole } from "../core/permission.ts";
import { addMember } from "../domain/projects/add-member.ts";
import { type Command, text, UsageError } from "./command.ts";
import { personByEmail } from "./person-by-email.ts";

export const memberAdd: Command = {
  name: "member add",
  usage: "member add --project ID --email ADDRESS --role owner|admin|editor|viewer",
  options: { project: { type: "string" }, email: { type: "string" }, role: { type: "string" } },
  required: ["project", "email", "role"],
  async run({ options, service }) {
    const role = text(options, "role");
    if (!isRole(role)) throw new UsageError(`there is no role "${role}"`);
    const opened = await service();
    const person = await personByEmail(opened.db, text(options, "email"));
    await addMember(opened, { projectId: text(options, "project"), personId: person.id, role });
    return { id: person.id };
  },
};
