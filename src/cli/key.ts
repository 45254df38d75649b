import { createKey } from "../domain/api-keys/create-key.ts";
import { perform } from "../domain/operation/operation.ts";
import { type Command, text } from "./command.ts";

export const keyCreate: Command = {
  name: "key create",
  usage:
    "key create --project ID --name NAME --permissions leads:read,leads:write,… [--no-export]   (a key with --no-export reads leads, but takes no files of them out)",
  options: {
    project: { type: "string" },
    name: { type: "string" },
    permissions: { type: "string" },
    "no-export": { type: "boolean" },
  },
  required: ["project", "name", "permissions"],
  async run({ options, service }) {
    const projectId = text(options, "project");
    const permissions = text(options, "permissions")
      .split(",")
      .map((part) => part.trim());
    return await perform(
      await service(),
      createKey,
      { personId: null, projectId },
      { name: text(options, "name"), permissions, exportWithheld: options["no-export"] === true },
    );
  },
};
