import { listKept } from "../../../../domain/imports/failures.ts";
import { ImportList } from "../../../../domain/imports/list-imports.ts";
import { KeptList } from "../../shared/import-described.ts";
import { importListRoute } from "../../shared/import-routes.ts";

/** `GET /api/v1/imports/{id}/kept`: what an undo left unchanged. */
export const listKeptRoute = importListRoute({
  url: "/api/v1/imports/:id/kept",
  summary: "List what an undo kept",
  operation: listKept,
  query: ImportList,
  body: KeptList,
});
