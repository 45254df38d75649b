import type { Route } from "../../http/route/route.ts";
import type { Dialect, Surface } from "../../http/route/serve.ts";
import { sessionCaller } from "../../http/session/session-caller.ts";
import { assetRoutes } from "./assets.ts";
import { meRoute } from "./me.ts";
import { presenceRoute } from "./presence.ts";
import { shellRoutes } from "./shell.ts";
import { panelSignOutRoute } from "./sign-out.ts";

const PRIVATE = { "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff" };

/** The pages that hold the panel, and its files; refusals look like those of the other pages. */
export const panelPages = (dialect: Dialect): Surface => ({
  routes: [...shellRoutes, ...assetRoutes],
  dialect,
});

/**
 * The calls of the panel: the API's routes for the signed-in person instead of a key, in the project of the
 * URL: `/api/v1/leads` is `/panel/api/{project}/v1/leads`. All refusals are in one dialect.
 */
export const panelApi = (routes: readonly Route[], dialect: Dialect): Surface => ({
  routes: [
    meRoute,
    panelSignOutRoute,
    presenceRoute,
    ...routes.flatMap(
      ({ url, calledBy }) => calledBy?.(sessionCaller, url.replace(/^\/api\//, "/panel/api/:project/")) ?? [],
    ),
  ],
  dialect,
  under: "/panel/api/",
  compresses: true,
  anonymous: "api",
  headers: () => PRIVATE,
});
