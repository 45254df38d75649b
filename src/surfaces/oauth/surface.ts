import type { Surface } from "../../http/route/serve.ts";
import { ROUTES as PAGES } from "./authorize/all.ts";
import { pageDialect } from "./authorize/problem-page.ts";
import { ROUTES } from "./endpoints/all.ts";
import { OPEN_HEADERS } from "./endpoints/cors.ts";
import { oauthDialect } from "./endpoints/dialect.ts";

/** The endpoints that applications call: any page may call them, and only the metadata is cached. */
export const oauth: Surface = {
  routes: ROUTES,
  dialect: oauthDialect,
  headers: () => ({ ...OPEN_HEADERS, "Cache-Control": "no-store" }),
};

/** The pages on which a person signs in and decides. */
export const authorization: Surface = { routes: PAGES, dialect: pageDialect };
