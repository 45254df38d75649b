import process from "node:process";
import { startEmbedded } from "../db/embedded/index.ts";
import { planUpgrade } from "../db/plan-upgrade.ts";
import type { Command } from "./command.ts";

export const upgrade: Command = {
  name: "upgrade",
  usage:
    "upgrade --check   (what the next start of this release does to the database; exit code 0 if others may serve meanwhile, otherwise 1)",
  options: { check: { type: "boolean" } },
  required: ["check"],
  async run({ config }) {
    const embedded =
      config.databaseUrl === undefined
        ? await startEmbedded({ dataDir: config.dataDir, pgBin: config.pgBin, attach: true })
        : undefined;
    try {
      const plan = await planUpgrade(config.databaseDirectUrl ?? config.databaseUrl ?? embedded?.url ?? "");
      if (plan.reason !== null) process.exitCode = 1;
      return plan;
    } finally {
      await embedded?.stop();
    }
  },
};
