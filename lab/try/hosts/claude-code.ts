import { join } from "node:path";
import type { Host, Setting, Typed } from "../support/host.ts";

const claude = (setting: Setting, words: readonly string[], terminal?: Typed) =>
  setting.run([join(setting.folder, "node_modules/.bin/claude"), ...words], {
    ...(terminal === undefined ? {} : { terminal }),
    env: {
      ANTHROPIC_BASE_URL: setting.model.url,
      ANTHROPIC_API_KEY: "sk-ant-scripted",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    },
  });

export const claudeCode: Host = {
  name: "Claude Code",
  package: "@anthropic-ai/claude-code",
  version: "2.1.332",
  calls: "model",
  add: (setting) => claude(setting, ["mcp", "add", "--transport", "http", "leadgate", setting.url]),
  login: (setting) => claude(setting, ["mcp", "login", "leadgate"], []),
  logout: (setting) => claude(setting, ["mcp", "logout", "leadgate"]),
  list: (setting) => claude(setting, ["mcp", "list"]),
  call: (setting, tool) => claude(setting, ["-p", `Call ${tool}.`, "--allowedTools", "mcp__leadgate"]),
};
