import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Host, Setting, Typed } from "../support/host.ts";

const gemini = (setting: Setting, words: readonly string[], terminal?: Typed) =>
  setting.run(["node", join(setting.folder, "node_modules/.bin/gemini"), ...words], {
    ...(terminal === undefined ? {} : { terminal }),
    env: { GEMINI_API_KEY: "scripted", GOOGLE_GEMINI_BASE_URL: setting.model.url },
  });

/** A named model: otherwise it asks a model which model to use. */
const MODEL = "gemini-2.5-flash";

/** Without these, it asks how to sign in and whether the folder may be trusted. */
const SETTINGS = {
  security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
};

export const geminiCli: Host = {
  name: "Gemini CLI",
  package: "@google/gemini-cli",
  version: "0.61.0",
  calls: "model",
  add(setting) {
    mkdirSync(join(setting.home, ".gemini"));
    writeFileSync(join(setting.home, ".gemini/settings.json"), JSON.stringify(SETTINGS));
    const where = ["--scope", "user", "--transport", "http", "--trust"];
    return gemini(setting, ["mcp", "add", ...where, "leadgate", setting.url]);
  },
  login: (setting) =>
    gemini(
      setting,
      [],
      [
        // Until its commands are loaded, it takes them for questions to the model.
        [/1 MCP server/, "/mcp auth leadgate", 10_000],
        [/Do you want to continue/, ""],
        [/Successfully authenticated and|failed/i, "/quit"],
      ],
    ),
  list: (setting) => gemini(setting, ["mcp", "list"]),
  call: (setting, tool) => gemini(setting, ["--yolo", "--model", MODEL, "-p", `Call ${tool}.`]),
};
