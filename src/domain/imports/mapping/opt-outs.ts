import type { ImportMapping } from "../../../contract/imports/import-mapping.ts";
import {
  NO_WORDS,
  OPT_OUTS,
  type OptOut,
  optOutOf,
  optOutState,
  plainWord,
  YES_WORDS,
} from "../../../contract/lists/opt-outs.ts";
import type { Reading } from "../../values/cell-readers.ts";
import type { Patch, Value } from "../../values/value.ts";
import type { ColumnProfile } from "../file/column-profile.ts";
import type { RowEvent } from "./row-events.ts";

type Rule = ImportMapping["columns"][string];

/** What yes and no mean below a header. */
type HeaderKind =
  /** Yes: the person opted out. */
  | "out"
  /** Yes: nobody may contact the person, who need not have said so. */
  | "contact"
  /** No: the person opted out. */
  | "subscribed"
  /** No: the person did not agree, which is no opt-out. */
  | "permission"
  /** The date on which the person opted out. */
  | "date";

const HEADERS: Readonly<Record<HeaderKind, readonly string[]>> = {
  out: [
    ...[
      "Unsubscribed from all email",
      "Unsubscribed from all emails",
      "Unsubscribed",
      "Is unsubscribed",
      "Is unsub",
    ],
    ...["Unsub", "Unsubscribe", "Globally unsubscribed", "Email unsubscribed", "Unsubscribed from email"],
    ...["Email opt out", "Email opted out", "Opt out", "Opted out", "Opt out of email", "Opted out of email"],
    ...["Has opted out of email", "hs_email_optout", "Opt out email", "Marketing opt out", "SMS opt out"],
    ...["Email opt out flag", "Opted out of all email", "Opted out of marketing", "Descadastrado"],
    ...["Descadastrada", "Desinscrito", "Cancelou inscrição", "Opt-out de e-mail", "Dado de baja"],
    ...["Desuscrito", "Abgemeldet", "Désabonné", "Désinscrit", "Uitgeschreven"],
  ],
  contact: [
    ...["Do not contact", "Do not call", "DNC", "Do not email", "Do not mail", "Do not e-mail", "Do not SMS"],
    ...["Do not allow emails", "Do not allow bulk emails", "Do not allow phone calls", "Do not bulk email"],
    ...["Do not phone", "Is excluded from campaigns", "Blocklisted", "Blacklisted", "Email blocklisted"],
    ...[
      "Email blacklisted",
      "Blocklist",
      "Blacklist",
      "SMS blocklisted",
      "SMS blacklisted",
      "Suppressed",
      "Não contatar",
      "Não ligar",
    ],
    ...["Não perturbe", "Não enviar e-mail", "No contactar", "No llamar", "Nicht kontaktieren"],
    ...["Nicht anrufen", "Ne pas contacter", "Ne pas appeler"],
  ],
  subscribed: [
    ...["Subscribed", "Is subscribed", "Email subscribed", "Subscribed to email", "Subscribed to emails"],
    ...["Subscription status", "Subscriber status", "Email subscription status", "Inscrito"],
    ...["Situação da inscrição", "Status da inscrição"],
  ],
  permission: [
    ...[
      "Email opt in",
      "Opt in",
      "Opted in",
      "Double opt in",
      "Marketing opt in",
      "Opt in status",
      "SMS opt in",
    ],
    ...["Accepts marketing", "Accepts email marketing", "Accepts SMS marketing", "Marketing consent"],
    ...["Email marketing consent", "SMS marketing consent", "Email consent", "Consent", "Newsletter"],
    ...["Marketing status", "Person - Marketing status", "Email marketing status", "Aceita marketing"],
    ...["Aceita receber e-mails", "Consentimento"],
  ],
  date: [
    ...["UNSUB_TIME", "Unsubscribe time", "Unsubscribed time", "Unsubscribed at", "Unsubscribed on"],
    ...["Unsubscribe date", "Unsubscribed date", "Date unsubscribed", "Unsubscription date", "Opt out at"],
    ...["Opt out date", "Opt out time", "Opted out at", "Opted out on", "Opted out date", "Date opted out"],
    ...["Email opt out date", "Email opted out date", "Data de descadastro", "Descadastrado em"],
    ...["Data do opt-out", "Data de opt-out"],
  ],
};

const KIND_OF = new Map(
  (Object.keys(HEADERS) as HeaderKind[]).flatMap((kind) =>
    HEADERS[kind].map((header) => [plainWord(header), kind] as const),
  ),
);

const DATED = /^\d{4}[-/.]\d\d?[-/.]\d\d?|^\d\d?[-/.]\d\d?[-/.]\d{2,4}/;

/**
 * Returns how a column that tells who opted out is read; undefined if it does not. A header that is not known does if all of its
 * values are a program's words for it, such as `Active` and `Unsubscribed`.
 */
export function optOutRule({ name, values, samples }: ColumnProfile): Rule | undefined {
  const kind = KIND_OF.get(plainWord(name));
  const states = (values ?? []).map(optOutState);
  const isTold = states.some((state) => state === "withdrawn" || state === "do_not_contact");
  switch (kind) {
    case "date":
      return "opt_out_at";
    case "out":
      return samples.length > 0 && samples.every((sample) => DATED.test(sample)) ? "opt_out_at" : "opt_out";
    case "contact":
      return "do_not_contact";
    case "subscribed":
      return values === null || values.length === 0 ? undefined : meant(values, "withdrawn");
    case "permission":
      return isTold ? meant(values ?? [], "none") : undefined;
    default:
      return isTold && states.every((state) => state !== undefined) ? "opt_out" : undefined;
  }
}

/** A rule for cells in which no means this, and yes means that the person did not opt out. */
function meant(values: readonly string[], no: OptOut): Rule {
  const told = values.flatMap((value): [string, OptOut][] => {
    const word = value.toLowerCase();
    return YES_WORDS.has(word) ? [[value, "none"]] : NO_WORDS.has(word) ? [[value, no]] : [];
  });
  return told.length === 0 ? "opt_out" : { field: "opt_out", values: Object.fromEntries(told) };
}

/** Reads whether a person opted out; `otherwise` reads what is no known word. */
export function readOptOut(field: string, text: string, otherwise: (text: string) => Reading): Reading {
  const known = optOutOf(text);
  if (known === undefined) return otherwise(text);
  return { value: field === "opt_out" ? known : known !== "none" };
}

const STRENGTH: readonly Value[] = [true, ...OPT_OUTS, false];

/** What a field gets that another cell of the row filled: the stronger opt-out, and of other fields the later value. */
export function stronger(before: Value | null | undefined, later: Value): Value {
  const [one, other] = [before, later].map((value) => STRENGTH.indexOf(value ?? ""));
  return one === undefined || other === undefined || one < 0 || one > other ? later : (before ?? later);
}

/**
 * Turns what a row says of opting out into fields of its lead. A consent that was withdrawn does not stand: when it was given
 * becomes an event, which is returned with that of its end.
 */
export function applyOptOut(patch: Patch): RowEvent[] {
  const [said, at] = [patch.get("opt_out"), patch.get("opt_out_at")];
  for (const field of ["opt_out", "opt_out_at"]) patch.delete(field);
  if (said === undefined && at === undefined) return [];
  const isOut = said !== "none" || at !== undefined;
  if (isOut || !patch.has("do_not_contact")) patch.set("do_not_contact", isOut);
  if (said !== "withdrawn" && at === undefined) return [];
  const given = patch.get("consent_at");
  patch.delete("consent_at");
  patch.set("consent_status", "withdrawn");
  if (at !== undefined) patch.set("consent_at", at);
  return [...consentEvent("given", given), ...consentEvent("withdrawn", at)];
}

const consentEvent = (what: "given" | "withdrawn", at: Value | null | undefined): RowEvent[] =>
  typeof at !== "string"
    ? []
    : [
        {
          ...{ type: `consent.${what}`, title: `Consent ${what}`, key: `consent.${what} ${at}` },
          ...{ at: Date.parse(at), data: "{}" },
        },
      ];
