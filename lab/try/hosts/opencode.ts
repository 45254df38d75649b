import { join } from "node:path";
import type { Host, Setting, Typed } from "../support/host.ts";

const opencode = (setting: Setting, words: readonly string[], terminal?: Typed) =>
  setting.run([join(setting.folder, "node_modules/.bin/opencode"), ...words], {
    ...(terminal === undefined ? {} : { terminal }),
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_CONFIG_CONTENT: JSON.stringify({ provider: { scripted: provider(setting.model.url) } }),
    },
  });

/** A provider of models at the scripted model's URL. */
const provider = (url: string): object => ({
  npm: "@ai-sdk/openai-compatible",
  options: { baseURL: `${url}/v1`, apiKey: "scripted" },
  models: { scripted: { name: "Scripted" } },
});

export const opencodeCli: Host = {
  name: "opencode",
  package: "opencode-ai",
  version: "1.18.33",
  calls: "model",
  add: (setting) => opencode(setting, ["mcp", "add", "leadgate", "--url", setting.url]),
  login: (setting) => opencode(setting, ["mcp", "auth", "leadgate"], []),
  logout: (setting) => opencode(setting, ["mcp", "logout", "leadgate"]),
  list: (setting) => opencode(setting, ["mcp", "list"]),
  call: (setting, tool) => opencode(setting, ["run", "--auto", "-m", "scripted/scripted", `Call ${tool}.`]),
};
