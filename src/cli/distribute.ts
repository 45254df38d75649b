import { distribute } from "../db/distribute/distribute.ts";
import { type Command, UsageError } from "./command.ts";

const MOST = 1_024;

export const distributeCommand: Command = {
  name: "distribute",
  usage:
    "distribute [--shards N]   (spreads the projects over the nodes of the Citus cluster that DATABASE_URL leads to; continues what was begun)",
  options: { shards: { type: "string" } },
  required: [],
  async run({ config, options }) {
    const url = config.databaseDirectUrl ?? config.databaseUrl;
    if (url === undefined)
      throw new Error(
        "Set DATABASE_URL to the coordinator of a Citus cluster. The embedded database is one server.",
      );
    return await distribute(url, {
      shards: shardsOf(options.shards),
      report: (message) => void process.stderr.write(`${message}\n`),
    });
  },
};

function shardsOf(given: string | boolean | undefined): number | undefined {
  if (given === undefined) return undefined;
  const shards = Number(given);
  if (!Number.isInteger(shards) || shards < 1 || shards > MOST)
    throw new UsageError(`--shards must be a whole number from 1 to ${MOST}`);
  return shards;
}
