import { openService } from "../server/start.ts";
import type { Command } from "./command.ts";

export const migrateCommand: Command = {
  name: "migrate",
  usage: "migrate   (brings the tables up to date, as each start of the service does)",
  options: {},
  required: [],
  async run({ config }) {
    const opened = await openService(
      { ...config, logLevel: "warn" },
      {
        attach: true,
        report: (message) => void process.stderr.write(`${message}\n`),
      },
    );
    await opened.close();
    return { migrated: opened.migrated };
  },
};
