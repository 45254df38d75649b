import { BACKUPS } from "../../../core/navigation.ts";
import { perform } from "../../../domain/operation/operation.ts";
import { readBackupReports } from "../../../domain/upkeep/backups/read-reports.ts";
import type { Route } from "../../../http/route/route.ts";
import { visitorOf } from "../shared/signed-in.ts";
import { backupsPage } from "./parts.ts";

/** The state of the regular backups, for owners of the instance. */
export const backupRoutes: Route[] = [
  {
    method: "GET",
    url: BACKUPS,
    async handle(service, request) {
      const visitor = await visitorOf(service, request);
      const places = await perform(service, readBackupReports, visitor, {});
      return backupsPage(visitor, places, service.postgres);
    },
  },
];
