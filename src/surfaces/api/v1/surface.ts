import type { Surface } from "../../../http/route/serve.ts";
import { ROUTES } from "./all.ts";
import { envelope } from "./dialect.ts";

/** The versioned endpoints under /api/v1: cursors, and one error envelope. */
export const v1: Surface = {
  routes: ROUTES,
  dialect: envelope,
  under: "/api/v1/",
  refusesUnknown: true,
  compresses: true,
  revalidates: true,
  anonymous: "api",
};
