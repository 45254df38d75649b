import { join } from "node:path";
import type { Host, Setting } from "../support/host.ts";

const mcporter = (setting: Setting, ...words: string[]) =>
  setting.run(["node", join(setting.folder, "node_modules/.bin/mcporter"), ...words]);

export const mcporterCli: Host = {
  name: "mcporter",
  package: "mcporter",
  version: "0.12.3",
  calls: "command",
  add: (setting) => mcporter(setting, "config", "add", "leadgate", setting.url, "--allow-http"),
  login: (setting) => mcporter(setting, "auth", "leadgate"),
  logout: (setting) => mcporter(setting, "config", "logout", "leadgate"),
  list: (setting) => mcporter(setting, "list", "leadgate"),
  call: (setting, tool, args) =>
    mcporter(setting, "call", `leadgate.${tool}`, "--args", JSON.stringify(args)),
};
