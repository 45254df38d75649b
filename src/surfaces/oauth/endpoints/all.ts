// Written by npm run fix: what the files of this folder export.
import type { Route } from "../../../http/route/route.ts";
import { introspect } from "./introspect.ts";
import { register } from "./register.ts";
import { revoke } from "./revoke.ts";
import { token } from "./token.ts";
import { discovery } from "./well-known.ts";

/** The routes that the files of this folder declare. */
export const ROUTES: readonly Route[] = [
  ...introspect,
  ...register,
  ...revoke,
  ...token,
  ...discovery,
];
