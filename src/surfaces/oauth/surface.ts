import type { Surface } from "../../http/serve.ts";
import { authorize } from "./authorize.ts";
import { consent } from "./consent.ts";
import { OPEN_HEADERS } from "./cors.ts";
import { oauthDialect } from "./dialect.ts";
import { discovery } from "./discovery.ts";
import { introspect } from "./introspect.ts";
import { newProject } from "./new-project.ts";
import { otherAccount } from "./other-account.ts";
import { pageDialect } from "./problem-page.ts";
import { register } from "./register.ts";
import { revoke } from "./revoke.ts";
import { token } from "./token.ts";

/** The endpoints that applications call: open to any page, never cached but for the metadata. */
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
