import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Host, Setting } from "../support/host.ts";

/** Its settings: the scripted model, and the server. JSON is YAML, too. */
const settings = ({ url, model }: Setting): object => ({
  ...{ name: "scripted", version: "0.0.1", schema: "v1" },
  models: [
    {
      ...{ name: "scripted", provider: "openai", model: "scripted" },
      ...{ apiBase: `${model.url}/v1`, apiKey: "scripted", capabilities: ["tool_use"] },
    },
  ],
  mcpServers: [{ name: "leadgate", type: "streamable-http", url }],
});

/** In a terminal: without one, it does not sign in to servers. */
export const continueCli: Host = {
  name: "Continue",
  package: "@continuedev/cli",
  version: "1.5.47",
  calls: "model",
  async add(setting) {
    writeFileSync(join(setting.home, "config.yaml"), JSON.stringify(settings(setting)));
    return { code: 0, out: "" };
  },
  call: (setting, tool) =>
    setting.run(
      [
        ...["node", join(setting.folder, "node_modules/.bin/cn"), "--auto"],
        ...["--config", join(setting.home, "config.yaml")],
      ],
      {
        terminal: [
          [/Ask anything/i, `Call ${tool}.`, 15_000],
          [/Done\./, "/exit"],
        ],
      },
    ),
};
