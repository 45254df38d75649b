import { unprocessedFile } from "../../../../contract/imports/imports.ts";
import { importFileRoute } from "../../shared/import-routes.ts";

/** `GET /api/v1/imports/{id}/unprocessed.csv`: the rows that were not reached. */
export const unprocessedFileRoute = importFileRoute(unprocessedFile, "unprocessed");
