import { Refusal } from "../../core/refusal.ts";

/** The refusal for requests of the panel without a valid session. */
export const signedOut = (): Refusal =>
  new Refusal("unauthenticated", "signed_out", "Your session has ended. Sign in again.");
