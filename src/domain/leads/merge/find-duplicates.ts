import { Type } from "typebox";
import type { DuplicateReason } from "../../../contract/lists/duplicates.ts";
import { IDENTITY_NAMES } from "../../../contract/lists/identities.ts";
import { isId } from "../../../core/id.ts";
import { notFound } from "../../../core/refusal.ts";
import { leadColumns } from "../../fields/lead-columns.ts";
import { Cursor, type CursorBinding, readCursor, writeCursor } from "../../operation/cursor.ts";
import { checked, memberOperation, refuse } from "../../operation/operation.ts";
import type { CursorList } from "../../operation/page.ts";
import { type Identifier, identifiersOf } from "../identity/identifiers.ts";
import { readHolders } from "../identity/look-for.ts";
import { LeadId, missingLead } from "../read/lead-id.ts";
import { SUBMISSION } from "../write/keep-submission.ts";

/** Reasons to take two leads for one person, most reliable first, with their weights. */
const WEIGHTS: Record<DuplicateReason, number> = {
  external_id: 0.95,
  email: 0.9,
  phone: 0.8,
  name_and_company: 0.6,
  conflict: 0.5,
};

interface Reason {
  code: DuplicateReason;
  /** The shared value; null for names, which may be spelled differently, and for a submission that fits both. */
  value: string | null;
}

/** A lead that may be the same person; `json` is its record as text. */
export interface Duplicate {
  id: string;
  json: string;
  /** From 0 to 1. */
  score: number;
  reasons: Reason[];
}

const KNOWN_BY = "id, external_id, email, emails, phone_e164, phones";
const PERSON = "person_key(name, first_name, last_name, company)";

const LEAD = `SELECT ${KNOWN_BY}, ${PERSON}::text AS person,
    (SELECT default_country FROM project WHERE project_id = $1) AS country
  FROM lead WHERE project_id = $1 AND id = $2 AND deleted_at IS NULL AND merged_into_id IS NULL`;

/** The most leads to examine for each reason; a number shared by hundreds proves nothing. */
const MOST = 200;

/**
 * The leads of a list, those with the same name and company, and those that a submission may have been about as well. OFFSET 0: without it, the
 * limit makes the planner scan all leads, hoping to meet enough matches soon.
 */
const CANDIDATES = `WITH named AS MATERIALIZED (
    SELECT DISTINCT named_id FROM event,
      jsonb_array_elements_text(CASE jsonb_typeof(data -> 'leads') WHEN 'array' THEN data -> 'leads' ELSE '[]' END) AS named_id
    WHERE project_id = $1 AND type = '${SUBMISSION}' AND lead_id = $2 LIMIT ${MOST}
  ) SELECT ${KNOWN_BY}, coalesce(${PERSON} = $4::bigint, false) AS same_person, id IN (SELECT named_id FROM named) AS conflict,
    (SELECT row_to_json(shown)::text FROM (SELECT ${leadColumns(undefined)}) AS shown) AS json
  FROM lead WHERE project_id = $1 AND id <> $2 AND deleted_at IS NULL AND merged_into_id IS NULL AND id IN (
    SELECT unnest($3::text[]) UNION SELECT named_id FROM named
    UNION (SELECT id FROM (SELECT id FROM lead WHERE project_id = $1 AND deleted_at IS NULL AND merged_into_id IS NULL AND company IS NOT NULL
      AND coalesce(name, first_name || ' ' || last_name) IS NOT NULL AND ${PERSON} = $4::bigint OFFSET 0) AS alike ORDER BY id LIMIT ${MOST}))`;

/** What identifies a lead. */
type Identity = Record<"external_id" | "email" | "phone_e164", string | null> &
  Record<"emails" | "phones", string[]>;

type Candidate = Identity & { id: string; same_person: boolean; conflict: boolean; json: string };

/** The position of a page's end. */
type Mark = readonly [score: number, id: string];

/** Most likely first. */
const order = ([score, id]: Mark, [other, than]: Mark): number =>
  other - score || Number(id > than) - Number(id < than);

/**
 * Returns leads that may be the same person as this one, in pages, most likely first: by external id, e-mail
 * (ignoring case), phone in E.164, or name and company (ignoring case and accents).
 */
export const findDuplicates = memberOperation({
  name: "leads.duplicates",
  needs: "leads:read",
  input: Type.Object(
    {
      id: LeadId,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: "Default: 50." })),
      cursor: Cursor,
    },
    { additionalProperties: false },
  ),
  async run({ service, db, caller }, { id, limit = 50, cursor }): Promise<CursorList<Duplicate>> {
    if (!isId("lead", id)) return await refuse(db, notFound("lead"));
    const { projectId } = caller;
    const binding: CursorBinding = [projectId, "leads.duplicates", id];
    const after = await checked({ db }, () =>
      cursor === undefined ? undefined : readCursor<Mark>(service, binding, cursor),
    );
    const [lead] = await db.query<Identity & { person: string | null; country: string | null }>(
      LEAD,
      [projectId, id],
      { prepare: true },
    );
    if (lead === undefined) throw await missingLead(db, projectId, id);
    const { country, person } = lead;
    const identifiers = identifiersOf(lead, country);
    const holders = await readHolders(db, projectId, identifiers, country, { most: MOST });
    const found = await db.query<Candidate>(CANDIDATES, [projectId, id, [...holders.leads.keys()], person], {
      prepare: true,
    });
    const duplicates = found.flatMap((other): Duplicate[] => {
      const reasons = reasonsOf(identifiers, other, country);
      if (reasons.length === 0) return [];
      return [{ id: other.id, json: other.json, score: scoreOf(reasons), reasons }];
    });
    const markOf = ({ score, id }: Duplicate): Mark => [score, id];
    const left = duplicates
      .filter((each) => after === undefined || order(markOf(each), after) > 0)
      .sort((a, b) => order(markOf(a), markOf(b)));
    return {
      items: left.slice(0, limit),
      hasMore: left.length > limit,
      cursorAfter: (index) => writeCursor(service, binding, left.slice(index, index + 1).map(markOf)[0]),
    };
  },
});

/** Why another lead may be the person of these identifiers. */
function reasonsOf(identifiers: readonly Identifier[], other: Candidate, country: string | null): Reason[] {
  const keys = new Set(identifiersOf(other, country).map(({ key }) => key));
  const shared = identifiers.filter(({ key }) => keys.has(key));
  const reasons: Reason[] = IDENTITY_NAMES.flatMap((code) => {
    const first = shared.find(({ kind }) => kind === code);
    return first === undefined ? [] : [{ code, value: first.value }];
  });
  if (other.same_person) reasons.push({ code: "name_and_company", value: null });
  if (other.conflict) reasons.push({ code: "conflict", value: null });
  return reasons;
}

/** From 0 to 1: each reason removes its share of the remaining doubt. */
function scoreOf(reasons: readonly Reason[]): number {
  const doubt = reasons.reduce((rest, { code }) => rest * (1 - WEIGHTS[code]), 1);
  return Math.round((1 - doubt) * 1_000) / 1_000;
}
