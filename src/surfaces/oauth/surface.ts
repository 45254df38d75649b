import type { Surface } from "../../http/route/serve.ts";
import { authorize } from "./authorize/authorize.ts";
import { consent } from "./authorize/consent.ts";
import { newProject } from "./authorize/new-project.ts";
import { otherAccount } from "./authorize/other-account.ts";
import { pageDialect } from "./authorize/problem-page.ts";
import { OPEN_HEADERS } from "./endpoints/cors.ts";
import { oauthDialect } from "./endpoints/dialect.ts";
import { introspect } from "./endpoints/introspect.ts";
import { register } from "./endpoints/register.ts";
import { revoke } from "./endpoints/revoke.ts";
import { token } from "./endpoints/token.ts";
import { discovery } from "./endpoints/well-known.ts";

/** The endpoints that applications call: any page may call them, and only the metadata is cached. */
export const oauth: Surface = {
  routes: [...discovery, ...register, ...token, ...revoke, ...introspect],
  dialect: oauthDialect,
  headers: () => ({ ...OPEN_HEADERS, "Cache-Control": "no-store" }),
};

/** The pages on which a person signs in and decides. */
export const authorization: Surface = {
  routes: [authorize, consent, newProject, otherAccount],
  dialect: pageDialect,
};
