import type { CellType } from "./column-types.ts";

/** What a cell says of contact: consent was withdrawn, no contact is possible or wanted, or neither. The strongest first. */
export const OPT_OUTS = ["withdrawn", "do_not_contact", "none"] as const;
export type OptOut = (typeof OPT_OUTS)[number];

/** What columns of files fill besides the fields of leads: whether, and when, a person opted out. */
export const OPT_OUT_FIELDS: Readonly<
  Record<"opt_out" | "opt_out_at", { type: CellType; options: readonly string[] }>
> = { opt_out: { type: "enum", options: OPT_OUTS }, opt_out_at: { type: "datetime", options: [] } };

/** What several columns of a file can fill: an opt-out in any of them counts. */
export const SHARED_FIELDS: ReadonlySet<string> = new Set(["opt_out", "do_not_contact"]);

/** A word without case, accents, spaces and punctuation: `Opted-out` is `optedout`. */
export const plainWord = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");

/** The words of booleans in files. */
export const YES_WORDS: ReadonlySet<string> = new Set([
  ...["true", "yes", "y", "1", "x", "on", "sim", "s", "verdadeiro"],
]);
export const NO_WORDS: ReadonlySet<string> = new Set([
  ...["false", "no", "n", "0", "off", "não", "nao", "falso"],
]);

/** The words of programs, in the form of `plainWord`. */
const STATES: Readonly<Record<OptOut, readonly string[]>> = {
  withdrawn: [
    ...["unsubscribed", "unsubscribe", "unsub", "globallyunsubscribed", "userunsubscribed"],
    ...["optedout", "optout", "withdrawn", "consentwithdrawn", "revoked", "consentrevoked"],
    ...["descadastrado", "descadastrada", "desinscrito", "desinscrita", "retirado", "revogado"],
    ...["desuscrito", "desuscrita", "dadodebaja", "abgemeldet", "desabonne", "desinscrit", "uitgeschreven"],
  ],
  do_not_contact: [
    ...["donotcontact", "donotcall", "donotemail", "donotallow", "naocontatar", "nocontactar"],
    ...["noconsent", "semconsentimento", "sinconsentimiento", "notsubscribed", "nonsubscribed"],
    ...[
      "bounced",
      "hardbounced",
      "hardbounce",
      "cleaned",
      "complained",
      "complaint",
      "spam",
      "spamcomplaint",
    ],
    ...["blocklisted", "blacklisted", "suppressed", "usersuppressed"],
  ],
  none: [
    ...["subscribed", "active", "confirmed", "unconfirmed", "pending", "optedin", "optin", "doubleoptin"],
    ...[
      "neversubscribed",
      "archived",
      "express",
      "implied",
      "allow",
      "allowed",
      "granted",
      "given",
      "softbounced",
    ],
    ...["inscrito", "inscrita", "ativo", "ativa"],
  ],
};

const MEANINGS = new Map(OPT_OUTS.flatMap((meaning) => STATES[meaning].map((word) => [word, meaning])));

/** What a word of a program says, which is neither yes nor no: `Unsubscribed`, `No Consent`; undefined if it is unknown. */
export const optOutState = (text: string): OptOut | undefined => MEANINGS.get(plainWord(text));

/** The same, and yes or no for whether a person opted out. */
export function optOutOf(text: string): OptOut | undefined {
  const word = text.trim().toLowerCase();
  if (YES_WORDS.has(word)) return "withdrawn";
  return NO_WORDS.has(word) ? "none" : (OPT_OUTS.find((each) => each === word) ?? optOutState(text));
}
