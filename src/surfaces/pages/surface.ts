import type { Surface } from "../../http/serve.ts";
import { apiKeyRoutes } from "./api-keys.ts";
import { assetRoutes } from "./assets.ts";
import { connectedAppRoutes } from "./connected-apps.ts";
import { refusalPage } from "./dialect.ts";
import { homeRoutes } from "./home.ts";
import { projectRoutes } from "./project.ts";
import { setUpRoutes } from "./set-up.ts";
import { signInRoutes } from "./sign-in.ts";

/** The plain pages for people: set-up, sign-in, their projects and the keys of a project. No script. */
export const pages: Surface = {
  routes: [
    ...assetRoutes,
    ...setUpRoutes,
    ...signInRoutes,
    ...homeRoutes,
    ...projectRoutes,
    ...apiKeyRoutes,
    ...connectedAppRoutes,
  ],
  dialect: refusalPage,
};
