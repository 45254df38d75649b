import { successfulFile } from "../../../../contract/imports/imports.ts";
import { importFileRoute } from "../../shared/import-routes.ts";

/** `GET /api/v1/imports/{id}/successful.csv`: the rows that succeeded. */
export const successfulFileRoute = importFileRoute(successfulFile, "successful");
