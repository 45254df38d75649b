import type { CellType } from "./column-types.ts";

/** What a cell says of contact: consent was withdrawn, no contact is possible or wanted, or neither. The strongest first. */
export const OPT_OUTS = ["withdrawn", "do_not_contact", "none"] as const;
export type OptOut = (typeof OPT_OUTS)[number];

/** What columns of files fill besides the fields of leads: whether, and when, a person opted out, and notes for the timeline. */
export const FILE_FIELDS: Readonly<
  Record<"opt_out" | "opt_out_at" | "note", { type: CellType; options: readonly string[] }>
> = {
  opt_out: { type: "enum", options: OPT_OUTS },
  opt_out_at: { type: "datetime", options: [] },
  note: { type: "raw", options: [] },
};

/** The fields that tell whether a person opted out: an opt-out in any of their columns counts. */
export const OPT_OUT_FIELDS: ReadonlySet<string> = new Set(["opt_out", "do_not_contact"]);

/** What several columns of a file can fill: opt-outs, notes, and lists, whose entries are united. */
export const SHARED_FIELDS: ReadonlySet<string> = new Set([
  ...OPT_OUT_FIELDS,
  ...["note", "emails", "phones", "tags"],
]);

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
  ...["sí", "si", "verdadero", "oui", "vrai", "sì", "vero", "ja", "wahr", "waar", "tak", "evet"],
  ...["да", "はい", "是"],
]);
export const NO_WORDS: ReadonlySet<string> = new Set([
  ...["false", "no", "n", "0", "off", "não", "nao", "falso"],
  ...["non", "faux", "nein", "falsch", "nee", "onwaar", "nie", "hayır", "hayir"],
  ...["нет", "いいえ", "否"],
]);

/** The words of programs. */
const STATES: Readonly<Record<OptOut, readonly string[]>> = {
  withdrawn: [
    ...["unsubscribed", "unsubscribe", "unsub", "globally unsubscribed", "user unsubscribed"],
    ...["unsubscribed from all", "unsubscribed from all email", "opted out", "opt out", "opted out of email"],
    ...["withdrawn", "consent withdrawn", "revoked", "consent revoked"],
    // Portuguese, Spanish, French, Italian
    ...["descadastrado", "descadastrada", "desinscrito", "desinscrita", "retirado", "revogado"],
    ...["desuscrito", "desuscrita", "dado de baja", "dada de baja", "désabonné", "désabonnée"],
    ...["désinscrit", "désinscrite", "disiscritto", "disiscritta"],
    // German, Dutch, Polish, Turkish
    ...["abgemeldet", "abbestellt", "widerrufen", "uitgeschreven", "afgemeld", "wypisany", "wypisana"],
    ...["wypisano", "abonelikten çıktı"],
    // Russian, Japanese, Chinese
    ...["отписан", "отписана", "отписался", "отписалась", "配信停止", "配信停止済み", "購読解除"],
    ...["オプトアウト"],
    ...["已退订", "退订", "取消订阅", "已取消订阅", "已退訂", "退訂", "取消訂閱", "已取消訂閱"],
  ],
  do_not_contact: [
    ...["do not contact", "do not call", "do not email", "do not allow", "dnc", "não contatar"],
    ...["no contactar", "ne pas contacter", "non contattare", "nicht kontaktieren", "niet contacteren"],
    ...["nie kontaktować", "не связываться", "連絡不可", "请勿联系", "請勿聯絡"],
    ...["no consent", "sem consentimento", "sin consentimiento", "sans consentement", "keine einwilligung"],
    ...["not subscribed", "nonsubscribed", "não inscrito", "no suscrito"],
    ...["bounced", "hard bounced", "hardbounce", "cleaned", "complained", "complaint", "spam"],
    ...["spam complaint", "rebotado", "blocklisted", "blacklisted", "suppressed", "user suppressed"],
  ],
  none: [
    ...["subscribed", "active", "confirmed", "unconfirmed", "pending", "opted in", "opt in", "double opt in"],
    ...["never subscribed", "archived", "express", "implied", "allow", "allowed", "granted", "given"],
    ...["soft bounced"],
    // Apollo's states of an e-mail
    ...["verified", "unverified", "unavailable", "update required", "user managed", "extrapolated"],
    // Portuguese, Spanish, French, Italian
    ...["inscrito", "inscrita", "ativo", "ativa", "suscrito", "suscrita", "activo", "activa"],
    ...["abonné", "abonnée", "inscrit", "inscrite", "actif", "iscritto", "iscritta", "attivo", "attiva"],
    // German, Dutch, Polish
    ...["abonniert", "angemeldet", "aktiv", "bestätigt", "unbestätigt", "ingeschreven", "aangemeld"],
    ...["actief", "aktywny", "aktywna", "zapisany", "zapisana"],
    // Russian, Japanese, Chinese
    ...["подписан", "подписана", "активен", "активна", "購読中", "配信中", "已订阅", "已訂閱"],
  ],
};

/**
 * Words that mean this only in a column that also has a clear word for an opt-out, such as `bounced`: Kit has `cancelled`, MailerLite
 * `junk`, but orders and tasks have them too.
 */
export const DOUBTFUL_STATES: ReadonlyMap<string, OptOut> = new Map(
  Object.entries({ cancelled: "withdrawn", canceled: "withdrawn", junk: "do_not_contact", inactive: "none" }),
);

const MEANINGS = new Map(
  OPT_OUTS.flatMap((meaning) => STATES[meaning].map((word) => [plainWord(word), meaning])),
);

/** What a word of a program says, which is neither yes nor no: `Unsubscribed`, `No Consent`; undefined if it is unknown. */
export const optOutState = (text: string): OptOut | undefined => MEANINGS.get(plainWord(text));

/** The same, and yes or no for whether a person opted out. */
export function optOutOf(text: string): OptOut | undefined {
  const word = text.trim().toLowerCase();
  if (YES_WORDS.has(word)) return "withdrawn";
  return NO_WORDS.has(word) ? "none" : (OPT_OUTS.find((each) => each === word) ?? optOutState(text));
}
