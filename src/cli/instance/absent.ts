import { existsSync } from "node:fs";
import type { Config } from "../../config/config.ts";
import { clusterOf } from "../../db/embedded/server/cluster.ts";
import { folderOf } from "./place.ts";

/**
 * Refuses to make an embedded database in the data folder of instances that used DATABASE_URL, which only their settings name: the
 * command would change a database that nobody serves.
 */
export function refuseOtherDatabase({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl !== undefined || existsSync(clusterOf(dataDir).folder) || !existsSync(folderOf(dataDir)))
    return;
  throw new Error(
    `No running instance answers in ${dataDir}, and the last one there had a DATABASE_URL. Start the service, or give the command ` +
      "DATABASE_URL and SECRET_KEY, or another DATA_DIR.",
  );
}
