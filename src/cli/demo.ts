import { resolve } from "node:path";
import type { Config } from "../config/config.ts";
import type { Command } from "./command.ts";
import { type Demo, prepareDemo } from "./demo/demo-data.ts";
import { serveUntilStopped } from "./serve.ts";

/** Sets up and serves a demo with real leads in a folder of its own; a second run continues where the first ended. */
export const demo: Command = {
  name: "demo",
  usage: "demo   (serves a project with real contacts from a folder of its own; npm run demo runs this)",
  options: {},
  required: [],
  async run({ config }) {
    const own: Config = {
      ...config,
      dataDir: config.dataDir === resolve("data") ? resolve("demo-data") : config.dataDir,
      backups: undefined,
      logLevel: config.logLevel === "info" ? "warn" : config.logLevel,
    };
    await serveUntilStopped(own, async (service) => {
      process.stdout.write(wordsOf(own, await prepareDemo(service, own.dataDir)));
    });
    return undefined;
  },
};

/** The demo's output: the sign-in, a call that works as printed, and the URL for assistants. */
export const wordsOf = (own: Config, { email, password, projectId, key, lastCall }: Demo): string => `
Demo project with 45,211 real contacts from a bank's phone campaign.${
  lastCall === undefined
    ? ""
    : `
The campaign ran from 2008 to 2010. All dates are shifted: the last call was on ${lastCall}, the day before the demo began.
Added, because the data has none: owners, campaigns, values, when a contact came in, and the open statuses of the last six weeks.`
}

Sign in       ${own.authUrl}
              ${email}  ${password}

Query leads   curl ${own.baseUrl}/api/leads/query/ \\
                -H "Authorization: Bearer ${key}" \\
                -H "Content-Type: application/json" \\
                -d '{"project_id": "${projectId}", "limit": 3, "filter": {"field": "status", "op": "eq", "value": "won"}}'

Reference     ${own.baseUrl}/reference
MCP address   ${own.authUrl}/mcp
              Connect an assistant, for example:
              claude mcp add --transport http leadgate ${own.authUrl}/mcp
              It opens a browser: sign in as above, then choose the project and what the assistant may do.

Stop with Ctrl-C. The next run continues with the same data and dates.
For a demo whose last call was yesterday again, delete ${own.dataDir} first.
`;
