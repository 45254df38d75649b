import type { Route } from "../../http/route/route.ts";
import type { Dialect, Surface } from "../../http/route/serve.ts";
import { sessionCaller } from "../../http/session/session-caller.ts";
import { ROUTES } from "./all.ts";

const CALLS = "/panel/api/";
const isCall = ({ url }: Route): boolean => url.startsWith(CALLS);

const PRIVATE = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

/** The pages that hold the panel, and its files; refusals look like those of the other pages. */
export const panelPages = (dialect: Dialect): Surface => ({
  routes: ROUTES.filter((route) => !isCall(route)),
  dialect,
});

/**
 * The calls of the panel: the API's routes for the signed-in person instead of a key, in the project of the
 * URL: `/api/v1/leads` is `/panel/api/{project}/v1/leads`. All refusals are in one dialect.
 */
export const panelApi = (routes: readonly Route[], dialect: Dialect): Surface => ({
  routes: [
    ...ROUTES.filter(isCall),
    ...routes.flatMap(
      ({ url, calledBy }) => calledBy?.(sessionCaller, url.replace(/^\/api\//, `${CALLS}:project/`)) ?? [],
    ),
  ],
  dialect,
  under: CALLS,
  compresses: true,
  anonymous: "api",
  headers: () => PRIVATE,
});
