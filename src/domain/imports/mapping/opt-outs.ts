import type { ImportMapping } from "../../../contract/imports/import-mapping.ts";
import {
  DOUBTFUL_STATES,
  NO_WORDS,
  type OptOut,
  optOutOf,
  optOutState,
  plainWord,
  YES_WORDS,
} from "../../../contract/lists/opt-outs.ts";
import type { Reading } from "../../values/cell-readers.ts";
import type { Patch, Value } from "../../values/value.ts";
import type { ColumnProfile } from "../file/column-profile.ts";
import { plainHeader } from "./header-words.ts";
import { OPT_OUT_HEADERS, type OptOutHeaderKind, OUT_BEGINNINGS } from "./opt-out-headers.ts";
import type { RowEvent } from "./row-events.ts";

type Rule = ImportMapping["columns"][string];

const KIND_OF = new Map(
  (Object.keys(OPT_OUT_HEADERS) as OptOutHeaderKind[]).flatMap((kind) =>
    OPT_OUT_HEADERS[kind].map((header) => [plainWord(header), kind] as const),
  ),
);

const DATED = /^\d{4}[-/.]\d\d?[-/.]\d\d?|^\d\d?[-/.]\d\d?[-/.]\d{2,4}/;

/**
 * Returns how a column that tells who opted out is read; undefined if it does not. A header that is not known does if all of its
 * values are a program's words for it, such as `Active` and `Unsubscribed`.
 */
export function optOutRule(
  { name, values, samples }: ColumnProfile,
  subscriptions: ReadonlySet<string> = new Set(),
): Rule | undefined {
  const kind = kindOf(plainWord(name));
  const isDated = samples.length > 0 && samples.every((sample) => DATED.test(sample));
  const clear = (values ?? []).map(optOutState);
  const isSure = clear.some((state) => state === "withdrawn" || state === "do_not_contact");
  const doubtful = (value: string) => DOUBTFUL_STATES.get(value.trim().toLowerCase());
  const states = isSure ? (values ?? []).map((value) => optOutState(value) ?? doubtful(value)) : clear;
  if (
    subscriptions.has(plainHeader(name)) &&
    states.length > 0 &&
    states.every((state) => state !== undefined)
  )
    return told(values ?? [], doubtful);
  switch (kind) {
    case "date":
      return "opt_out_at";
    case "out":
      return isDated ? "opt_out_at" : "opt_out";
    case "contact":
      return isDated ? { field: "do_not_contact", filled: "true" } : "do_not_contact";
    case "subscribed":
      // Dates below it are those of the subscription.
      return values === null || values.length === 0 || isDated ? undefined : meant(values, "withdrawn");
    case "permission":
      return isSure ? meant(values ?? [], "none") : undefined;
    default:
      return isSure && states.every((state) => state !== undefined)
        ? told(values ?? [], doubtful)
        : undefined;
  }
}

const kindOf = (word: string): OptOutHeaderKind | undefined =>
  KIND_OF.get(word) ?? (OUT_BEGINNINGS.some((start) => word.startsWith(start)) ? "out" : undefined);

/** A rule for cells whose words are known, with the meanings of those that are clear only next to others. */
function told(values: readonly string[], doubtful: (value: string) => OptOut | undefined): Rule {
  const meanings = values.flatMap((value) => {
    const meaning = optOutState(value) === undefined ? doubtful(value) : undefined;
    return meaning === undefined ? [] : [[value, meaning] as const];
  });
  return meanings.length === 0 ? "opt_out" : { field: "opt_out", values: Object.fromEntries(meanings) };
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
