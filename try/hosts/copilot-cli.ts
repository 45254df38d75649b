import { join } from "node:path";
import type { Host, Setting } from "../support/host.ts";

const copilot = (setting: Setting, ...words: string[]) =>
  setting.run(["node", join(setting.folder, "node_modules/.bin/copilot"), ...words], {
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
  add: (setting) => copilot(setting, "mcp", "add", "--transport", "http", "leadgate", setting.url),
  list: (setting) => copilot(setting, "mcp", "get", "leadgate"),
  call: (setting, tool) => copilot(setting, "-p", `Call ${tool}.`, "--allow-all-tools"),
};
