import type { Surface } from "../../http/route/serve.ts";
import { ROUTES } from "./all.ts";
import { refusalPage } from "./dialect.ts";

/** The server-rendered pages, which work without script: set-up, sign-in, account, projects and their settings. */
export const pages: Surface = { routes: ROUTES, dialect: refusalPage };
