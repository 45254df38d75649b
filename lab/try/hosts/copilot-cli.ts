import { join } from "node:path";
import type { Host, Setting, Typed } from "../support/host.ts";

const copilot = (setting: Setting, words: readonly string[], terminal?: Typed) =>
  setting.run(["node", join(setting.folder, "node_modules/.bin/copilot"), ...words], {
    ...(terminal === undefined ? {} : { terminal }),
    env: {
      COPILOT_PROVIDER_BASE_URL: `${setting.model.url}/v1`,
      COPILOT_PROVIDER_API_KEY: "scripted",
      COPILOT_MODEL: "scripted",
      COPILOT_OFFLINE: "true",
    },
  });

export const copilotCli: Host = {
  name: "Copilot CLI",
  package: "@github/copilot",
  version: "1.0.102",
  calls: "model",
  add: (setting) => copilot(setting, ["mcp", "add", "--transport", "http", "leadgate", setting.url]),
  login: (setting) =>
    copilot(
      setting,
      ["--allow-all"],
      [
        [/Confirm folder trust|trust the files/i, "1"],
        // It signs in by itself as soon as it has found that it must.
        [/MCP Servers reloaded: 1 server connected/, "/exit", 10_000],
      ],
    ),
  list: (setting) => copilot(setting, ["mcp", "get", "leadgate"]),
  call: (setting, tool) => copilot(setting, ["-p", `Call ${tool}.`, "--allow-all-tools"]),
};
