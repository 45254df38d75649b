import { importFileRoute } from "../../shared/import-routes.ts";

/** `GET /api/v1/imports/{id}/successful.csv`: the rows that succeeded. */
export const successfulFileRoute = importFileRoute({
  url: "/api/v1/imports/:id/successful.csv",
  summary: "Download the rows that succeeded",
  which: "successful",
});
