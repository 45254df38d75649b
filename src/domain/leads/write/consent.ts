import type { Change } from "../../changes/change.ts";
import type { LeadPatch } from "../../fields/lead-input.ts";
import {
  keepHashesSql,
  openingOf,
  suppress,
  suppressedAmong,
  suppressedSql,
} from "../../suppression/hashes.ts";
import type { LeadChange } from "./lead-effects.ts";
import type { WriteDb } from "./send-write.ts";
import type { Written } from "./write-outcome.ts";

/** Whether an effect would clear the opt-out that the locked lead has. */
const CLEARS = `((before).do_not_contact AND effect @> '{"do_not_contact": false}')`;

/** Whether a lead that may be contacted gets a suppressed address, unless its patch clears that. */
const suppressesSql = (keepsOptOut: boolean): string => {
  const asked = `effect -> 'do_not_contact'`;
  const unasked = keepsOptOut ? `coalesce(${asked}, 'false') = 'false'` : `${asked} IS NULL`;
  return `(suppressed AND NOT (before).do_not_contact AND ${unasked})`;
};

/**
 * The one rule of opt-outs: `do_not_contact` becomes true for everybody, and for a lead that gets a suppressed address, and false again
 * only for a caller who may clear it. Returns SQL for what is written, and for the column that says whether an opt-out was kept.
 */
export function keptSql(keepsOptOut: boolean, leads: readonly LeadChange[], hashed: boolean) {
  const clears = keepsOptOut && leads.some(({ patch }) => patch.do_not_contact === false);
  const cases = [
    ...(clears ? [[CLEARS, "effect - 'do_not_contact'"]] : []),
    ...(hashed ? [[suppressesSql(keepsOptOut), `effect || '{"do_not_contact": true}'`]] : []),
  ];
  if (cases.length === 0) return { written: "effect", kept: "false" };
  return {
    written: `CASE ${cases.map(([when, then]) => `WHEN ${when} THEN ${then}`).join(" ")} ELSE effect END`,
    kept: cases.map(([when]) => when).join(" OR "),
  };
}

/** What a statement that changes leads has for the hashes of the addresses that it gives them: a column of `given`, one of `meant`, and a part that keeps them. */
export const hashesSql = (project: string) => ({
  column: ", hashes text[]",
  suppressed: `, ${suppressedSql(project, "hashes")} AS suppressed`,
  kept: `, suppressed AS (${keepHashesSql(project, "decided JOIN given ON given.place = decided.place, unnest(hashes) AS hash WHERE fits AND room AND holder IS NULL AND (state).do_not_contact")})`,
});

export const NO_HASHES = { column: "", suppressed: "", kept: "" };

/** The addresses of a lead whose opt-out was set or cleared, or that comes back. */
export interface Consent {
  consent: LeadPatch | null;
}

const ADDRESSED = `jsonb_build_object(${["do_not_contact", "email", "emails", "phone_e164", "phones"].map((column) => `'${column}', (state).${column}`).join(", ")})`;

/** The addresses of the record that a change is for. */
export const addressesIn = ({
  patch,
  record = patch,
  added = {},
}: Pick<LeadChange, "patch" | "record" | "added">): LeadPatch => ({
  ...record,
  ...Object.fromEntries(
    Object.entries(added).map(([list, more]) => [list, [record[list] ?? [], more].flat() as string[]]),
  ),
});

/** SQL for the addresses of the leads whose opt-out a statement set or cleared, or that come back by it. */
export const consentSql = (isTold: string): string => `CASE WHEN ${isTold} THEN ${ADDRESSED} END`;

/** Suppresses all addresses of leads that opted out, and no longer those of leads whose opt-out was cleared. */
export async function keepConsent(db: WriteDb, change: Change, sent: readonly Consent[]): Promise<void> {
  for (const lift of [false, true]) {
    const about = sent.flatMap(({ consent }) => (consent?.do_not_contact === !lift ? [consent] : []));
    await suppress(db, openingOf(change), about, { lift });
  }
}

/** The leads that came back and may be contacted, although one of their addresses was suppressed meanwhile. */
export async function toOptOut(
  db: WriteDb,
  change: Change,
  sent: readonly (Written & Consent)[],
): Promise<LeadChange[]> {
  const able = sent.flatMap(({ id, consent }) =>
    consent?.do_not_contact === false ? [{ id, consent }] : [],
  );
  const records = able.map(({ consent }) => consent);
  const suppressed = await suppressedAmong(db, openingOf(change), records);
  const patch = { do_not_contact: true };
  return able.filter((_, i) => suppressed[i] === true).map(({ id }, place) => ({ place, id, patch }));
}
