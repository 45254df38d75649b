import type { Surface } from "../../../http/route/serve.ts";
import { ROUTES } from "./all.ts";
import { detailAndCode } from "./dialect.ts";

/** The leads API for API keys: the endpoints without a version, whose shape never changes. */
export const api: Surface = {
  routes: ROUTES,
  dialect: detailAndCode,
  compresses: true,
  revalidates: true,
  anonymous: "api",
};
