import { join } from "node:path";
import type { Host, Setting } from "../support/host.ts";

const cline = (setting: Setting, ...words: string[]) =>
  setting.run([join(setting.folder, "node_modules/.bin/cline"), ...words]);

export const clineCli: Host = {
  name: "Cline",
  package: "cline",
  version: "3.0.65",
  calls: "model",
  async add(setting) {
    const { url } = setting.model;
    await cline(setting, "auth", "-p", "openai", "-k", "scripted", "-m", "scripted", "-b", `${url}/v1`);
    return cline(setting, "mcp", "add", "leadgate", setting.url, "--transport", "http", "--yes");
  },
  call: (setting, tool) => cline(setting, "-P", "openai", "-m", "scripted", `Call ${tool}.`),
};
