// Written by npm run fix: what the files of this folder export.
import type { Route } from "../../../http/route/route.ts";
import { authorize } from "./authorize.ts";
import { consent } from "./consent.ts";
import { newProject } from "./new-project.ts";
import { otherAccount } from "./other-account.ts";

/** The routes that the files of this folder declare. */
export const ROUTES: readonly Route[] = [
  authorize,
  consent,
  newProject,
  otherAccount,
];
