import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { Host, Setting } from "../support/host.ts";

const codex = (setting: Setting, ...words: string[]) =>
  setting.run([join(setting.folder, "node_modules/.bin/codex"), ...words], {
    env: { SCRIPTED_KEY: "scripted" },
  });

/** A provider of models at the scripted model's URL. */
const provider = (url: string): string => `
[model_providers.scripted]
name = "Scripted"
base_url = "${url}/v1"
env_key = "SCRIPTED_KEY"
wire_api = "responses"
`;

export const codexCli: Host = {
  name: "Codex",
  package: "@openai/codex",
  version: "0.171.0",
  calls: "model",
  async add(setting) {
    const ended = await codex(setting, "mcp", "add", "leadgate", "--url", setting.url);
    appendFileSync(join(setting.home, ".codex/config.toml"), provider(setting.model.url));
    return ended;
  },
  login: (setting) => codex(setting, "mcp", "login", "leadgate"),
  logout: (setting) => codex(setting, "mcp", "logout", "leadgate"),
  list: (setting) => codex(setting, "mcp", "list"),
  call: (setting, tool) =>
    codex(
      setting,
      ...["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox"],
      ...["-c", 'model_provider="scripted"', "-m", "gpt-5", `Call ${tool}.`],
    ),
};
