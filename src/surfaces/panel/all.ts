// Written by npm run fix: what the files of this folder export.
import type { Route } from "../../http/route/route.ts";
import { assetRoutes } from "./assets.ts";
import { meRoute } from "./me.ts";
import { presenceRoute } from "./presence.ts";
import { shellRoutes } from "./shell.ts";
import { panelSignOutRoute } from "./sign-out.ts";

/** The routes that the files of this folder declare. */
export const ROUTES: readonly Route[] = [
  ...assetRoutes,
  meRoute,
  presenceRoute,
  ...shellRoutes,
  panelSignOutRoute,
];
