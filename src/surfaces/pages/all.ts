// Written by npm run fix: what the files of this folder export.
import type { Route } from "../../http/route/route.ts";
import { deleteAccountRoutes } from "./account/delete.ts";
import { accountRoutes } from "./account/page.ts";
import { apiKeyRoutes } from "./api-keys/page.ts";
import { applicationRoutes } from "./applications/page.ts";
import { approvalRoutes } from "./approvals/page.ts";
import { assetRoutes } from "./assets.ts";
import { backupRoutes } from "./backups/page.ts";
import { connectedAppRoutes } from "./connected-apps/page.ts";
import { emailRoutes } from "./email/page.ts";
import { forgotRoutes } from "./forgot/page.ts";
import { invitationRoutes } from "./invitation/page.ts";
import { auditLogRoutes } from "./log/page.ts";
import { memberRoutes } from "./members/page.ts";
import { passkeyRoutes } from "./passkeys/page.ts";
import { projectRoutes } from "./projects/page.ts";
import { resetRoutes } from "./reset/page.ts";
import { suppressionPageRoutes } from "./settings/do-not-contact.ts";
import { overviewRoute } from "./settings/overview.ts";
import { projectSettingsRoutes } from "./settings/page.ts";
import { setUpRoutes } from "./setup/page.ts";
import { signInCodeRoutes } from "./sign-in/code.ts";
import { signInRoutes } from "./sign-in/page.ts";
import { passkeySignInRoutes } from "./sign-in/passkey.ts";
import { signOutRoute } from "./sign-out/page.ts";
import { startRoutes } from "./start/page.ts";
import { twoFactorRoutes } from "./two-factor/page.ts";
import { wellKnownRoutes } from "./well-known/page.ts";

/** The routes that the files of this folder declare. */
export const ROUTES: readonly Route[] = [
  ...deleteAccountRoutes,
  ...accountRoutes,
  ...apiKeyRoutes,
  ...applicationRoutes,
  ...approvalRoutes,
  ...assetRoutes,
  ...backupRoutes,
  ...connectedAppRoutes,
  ...emailRoutes,
  ...forgotRoutes,
  ...invitationRoutes,
  ...auditLogRoutes,
  ...memberRoutes,
  ...passkeyRoutes,
  ...projectRoutes,
  ...resetRoutes,
  ...suppressionPageRoutes,
  overviewRoute,
  ...projectSettingsRoutes,
  ...setUpRoutes,
  ...signInCodeRoutes,
  ...signInRoutes,
  ...passkeySignInRoutes,
  signOutRoute,
  ...startRoutes,
  ...twoFactorRoutes,
  ...wellKnownRoutes,
];
