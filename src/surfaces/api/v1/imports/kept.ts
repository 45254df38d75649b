import * as endpoints from "../../../../contract/imports/imports.ts";
import { listKept } from "../../../../domain/imports/failures.ts";
import { importListRoute } from "../../shared/import-routes.ts";

/** `GET /api/v1/imports/{id}/kept`: what an undo left unchanged. */
export const listKeptRoute = importListRoute(endpoints.listKept, listKept);
