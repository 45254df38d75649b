import type { Scope } from "../../../core/permission.ts";

/** Something that happened to a person's account, and that they are notified of. Names are as their users typed them. */
export type Notice =
  | {
      kind:
        | "new_browser"
        | "authenticator_on"
        | "authenticator_off"
        | "recovery_codes_renewed"
        | "wrong_codes"
        | "factors_ended"
        | "password_changed";
    }
  | { kind: "passkey_added" | "passkey_removed"; name: string }
  | { kind: "recovery_code_used"; left: number }
  | {
      kind: "application_connected";
      clientName: string;
      projectName: string;
      scopes: readonly Scope[];
      /** Where the application receives the code: a host, or a program on the person's device. */
      place: { host: string } | { program: string };
    }
  | { kind: "token_replayed"; clientName: string };

/** A notice in words. `mail.ts` adds when it happened and from where; `path` is the page for `advice`. */
export interface Wording {
  subject: string;
  what: string;
  advice: string;
  path: string;
}

/** The words around every notice. */
export interface Frame {
  when: string;
  where: string;
  on: string;
  unknownBrowser: string;
  address: string;
  unknownAddress: string;
  commandLine: string;
}
