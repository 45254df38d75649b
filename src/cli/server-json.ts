import { serverJson as entryOf } from "../server/server-json.ts";
import { type Command, text, UsageError } from "./command.ts";

/** What the registry takes as a name. */
const NAME = /^[A-Za-z0-9.-]+\/[A-Za-z0-9._-]+$/;
const LONGEST = 200;

/** Describes this installation to the MCP registry. */
export const serverJson: Command = {
  name: "server-json",
  usage:
    "server-json --name NAMESPACE/NAME   (prints server.json, by which the MCP registry lists this installation; see assistants.md)",
  options: { name: { type: "string" } },
  required: ["name"],
  async run({ config, options, terminal }) {
    const name = text(options, "name");
    if (!NAME.test(name) || name.length > LONGEST)
      throw new UsageError(
        "--name must be a namespace that you own and a name, such as com.example/leads for example.com",
      );
    const { authUrl } = config;
    if (!authUrl.startsWith("https://"))
      throw new Error(
        `AUTH_URL is ${authUrl}. The registry lists addresses that everyone can reach, with https. Run this with the settings of the service.`,
      );
    terminal.out(JSON.stringify(entryOf(name, authUrl), null, 2));
    return undefined;
  },
};
