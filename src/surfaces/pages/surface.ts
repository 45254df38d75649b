import type { Surface } from "../../http/serve.ts";
import { accountRoutes } from "./account.ts";
import { apiKeyRoutes } from "./api-keys.ts";
import { assetRoutes } from "./assets.ts";
import { auditLogRoutes } from "./audit-log.ts";
import { connectedAppRoutes } from "./connected-apps.ts";
import { deleteAccountRoutes } from "./delete-account.ts";
import { refusalPage } from "./dialect.ts";
import { forgotRoutes } from "./forgot.ts";
import { homeRoutes } from "./home.ts";
import { invitationRoutes } from "./invitation.ts";
import { memberRoutes } from "./members.ts";
import { passkeyRoutes } from "./passkeys.ts";
import { projectRoutes } from "./project.ts";
import { projectSettingsRoutes } from "./project-settings.ts";
import { resetRoutes } from "./reset.ts";
import { setUpRoutes } from "./set-up.ts";
import { signInRoutes } from "./sign-in.ts";
import { signInCodeRoutes } from "./sign-in-code.ts";
import { passkeySignInRoutes } from "./sign-in-passkey.ts";
import { twoFactorRoutes } from "./two-factor.ts";

/** The plain pages for people: set-up, sign-in, their projects and the keys of a project. No script. */
export const pages: Surface = {
  routes: [
    ...assetRoutes,
    ...setUpRoutes,
    ...signInRoutes,
    ...signInCodeRoutes,
    ...passkeySignInRoutes,
    ...twoFactorRoutes,
    ...passkeyRoutes,
    ...homeRoutes,
    ...projectRoutes,
    ...projectSettingsRoutes,
    ...memberRoutes,
    ...invitationRoutes,
    ...accountRoutes,
    ...deleteAccountRoutes,
    ...forgotRoutes,
    ...resetRoutes,
    ...apiKeyRoutes,
    ...connectedAppRoutes,
    ...auditLogRoutes,
  ],
  dialect: refusalPage,
};
