import type { Scope } from "../../../core/permission.ts";
import type { Frame, Notice, Wording } from "./notice.ts";
import { plainName } from "./plain-name.ts";

export const ENGLISH_FRAME: Frame = {
  when: "When",
  where: "From",
  on: "on",
  unknownBrowser: "an unknown browser or program",
  address: "IP address",
  unknownAddress: "an unknown address",
  commandLine: "the command line of the service",
};

const SCOPES: Record<Scope, string> = {
  "mcp:read": "read and export all leads and datasets, with e-mail addresses and phone numbers",
  "mcp:write": "create, change and delete leads and rows of datasets",
};

const CHANGE_PASSWORD = "If this was not you, change your password now, which signs out every browser:";

/** Returns the English words of a notice. */
export function inEnglish(notice: Notice): Wording {
  switch (notice.kind) {
    case "new_browser":
      return {
        subject: "New sign-in to your account",
        what: "Your Leadgate account was used to sign in from a browser that has not signed in to it before.",
        advice: CHANGE_PASSWORD,
        path: "/account",
      };
    case "passkey_added":
      return {
        subject: "A passkey was added to your account",
        what: `This passkey was added to your Leadgate account and can sign in to it:\n\n  ${plainName(notice.name)}`,
        advice: "If this was not you, remove the passkey here, then change your password:",
        path: "/account/passkeys",
      };
    case "passkey_removed":
      return {
        subject: "A passkey was removed from your account",
        what: `This passkey was removed from your Leadgate account and can no longer sign in to it:\n\n  ${plainName(notice.name)}`,
        advice: "If this was not you, change your password, and check your passkeys here:",
        path: "/account/passkeys",
      };
    case "authenticator_on":
      return {
        subject: "Two-step sign-in was turned on",
        what: "An authenticator app was set up for your Leadgate account. Signing in with the password now requires a code from it.",
        advice: "If this was not you, turn it off here with your password, then change your password:",
        path: "/account/two-factor",
      };
    case "authenticator_off":
      return {
        subject: "Two-step sign-in was turned off",
        what: "The authenticator app was removed from your Leadgate account, and its recovery codes ended. The password alone signs in now.",
        advice: "If this was not you, change your password, and turn two-step sign-in on again here:",
        path: "/account/two-factor",
      };
    case "recovery_codes_renewed":
      return {
        subject: "New recovery codes were created",
        what: "New recovery codes were created for your Leadgate account. The previous ones no longer work.",
        advice: "If this was not you, change your password, and create new codes here:",
        path: "/account/two-factor",
      };
    case "recovery_code_used":
      return {
        subject: "A recovery code was used",
        what: `A recovery code of your Leadgate account was used instead of the authenticator app. ${leftWords(notice.left)}`,
        advice: "If this was not you, change your password, and create new codes here:",
        path: "/account/two-factor",
      };
    case "wrong_codes":
      return {
        subject: "Someone knows your password",
        what: `Someone entered the correct password of your Leadgate account, and then wrong codes several times. They could not sign in.`,
        advice: "If this was not you, they know your password. Change it now:",
        path: "/account",
      };
    case "factors_ended":
      return {
        subject: "Your second factors were removed",
        what: `The operator of the service removed the authenticator app, the recovery codes and all passkeys of your Leadgate account. The password alone signs in now.`,
        advice: "If you did not ask for this, contact the operator. You can set them up again here:",
        path: "/account",
      };
    case "password_changed":
      return {
        subject: "Your password was changed",
        what: `The password of your Leadgate account was changed, and every browser was signed out. Applications that you connected keep their access; you can review them under Connected apps (/connected-apps).`,
        advice: "If this was not you, set a new password immediately:",
        path: "/forgot",
      };
    case "application_connected":
      return {
        subject: "You gave a new application access",
        what: `You gave this application access to your leads:

  ${plainName(notice.clientName)}

Project: ${plainName(notice.projectName)}
It can: ${notice.scopes.map((scope) => SCOPES[scope]).join("; ")}
It returns to: ${placeWords(notice.place)}`,
        advice: "If this was not you, revoke its access here, then change your password:",
        path: "/connected-apps",
      };
    case "token_replayed":
      return {
        subject: "An application's access was revoked for your security",
        what: `A refresh token of this application was used a second time:

  ${plainName(notice.clientName)}

Either the application made a mistake, or someone has a copy of its tokens. For your security, this access was revoked.`,
        advice:
          "If you still use the application, connect it again. The applications with access to your account:",
        path: "/connected-apps",
      };
  }
}

function leftWords(left: number): string {
  if (left === 0) return "It was the last one.";
  return left === 1 ? "One code is left." : `${left} codes are left.`;
}

const placeWords = (place: Extract<Notice, { kind: "application_connected" }>["place"]): string =>
  "host" in place ? place.host : `a program on the device where you allowed it (${place.program})`;
