import { serviceDoor } from "../db/pool/project-door.ts";
import { createKey } from "../domain/api-keys/create-key.ts";
import { type Command, text } from "./command.ts";

export const keyCreate: Command = {
  name: "key create",
  usage: "key create --project ID --name NAME --permissions leads:read,leads:write,…",
  options: { project: { type: "string" }, name: { type: "string" }, permissions: { type: "string" } },
  required: ["project", "name", "permissions"],
  async run({ options, service }) {
    const projectId = text(options, "project");
    const permissions = text(options, "permissions")
      .split(",")
      .map((part) => part.trim());
    return await createKey(await service(), serviceDoor(projectId), {
      projectId,
      name: text(options, "name"),
      permissions,
      createdBy: null,
    });
  },
};
