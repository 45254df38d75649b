import { join } from "node:path";
import type { Host, Setting, Typed } from "../support/host.ts";

const qwen = (setting: Setting, words: readonly string[], terminal?: Typed) =>
  setting.run(["node", join(setting.folder, "node_modules/.bin/qwen"), ...words], {
    ...(terminal === undefined ? {} : { terminal, limitMs: 75_000 }),
    env: { OPENAI_API_KEY: "scripted", OPENAI_BASE_URL: `${setting.model.url}/v1`, OPENAI_MODEL: "scripted" },
  });

export const qwenCode: Host = {
  name: "Qwen Code",
  package: "@qwen-code/qwen-code",
  version: "0.24.4",
  calls: "model",
  add: (setting) => qwen(setting, ["mcp", "add", "--transport", "http", "--trust", "leadgate", setting.url]),
  login: (setting) => qwen(setting, ["-i", "/mcp auth leadgate"], [[/authenticated/i, "/quit", 2_000]]),
  list: (setting) => qwen(setting, ["mcp", "list"]),
  call: (setting, tool) => qwen(setting, ["--yolo", "-p", `Call ${tool}.`]),
};
