import { createProject } from "../domain/projects/create-project.ts";
import { type Command, text } from "./command.ts";
import { personByEmail } from "./person-by-email.ts";

export const projectCreate: Command = {
  name: "project create",
  usage: "project create --name NAME --owner EMAIL",
  options: { name: { type: "string" }, owner: { type: "string" } },
  required: ["name", "owner"],
  async run({ options, service }) {
    const opened = await service();
    const owner = await personByEmail(opened.db, text(options, "owner"));
    const { id } = await createProject(opened, { name: text(options, "name"), personId: owner.id });
    return { id };
  },
};
