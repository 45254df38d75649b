import { Refusal } from "../../core/refusal.ts";

/** What a program of ours hears that acts for a person whose session is over, or never was. */
export const signedOut = (): Refusal =>
  new Refusal("unauthenticated", "signed_out", "Your session has ended. Sign in again.");
