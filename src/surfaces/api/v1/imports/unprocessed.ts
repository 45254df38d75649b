import { importFileRoute } from "../../shared/import-routes.ts";

/** `GET /api/v1/imports/{id}/unprocessed.csv`: the rows that were not reached. */
export const unprocessedFileRoute = importFileRoute({
  url: "/api/v1/imports/:id/unprocessed.csv",
  summary: "Download the rows that were not reached",
  which: "unprocessed",
});
