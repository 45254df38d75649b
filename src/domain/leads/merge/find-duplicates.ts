import { Type } from "typebox";
import { isId } from "../../../core/id.ts";
import { notFound } from "../../../core/refusal.ts";
import { leadColumns } from "../../fields/lead-columns.ts";
import { Cursor, type CursorBinding, readCursor, writeCursor } from "../../operation/cursor.ts";
import { checked, memberOperation, refuse } from "../../operation/operation.ts";
import type { CursorList } from "../../operation/page.ts";
import { LeadId, missingLead } from "../read/lead-id.ts";
import { emailsOf, type Identity, numbersOf, type Reason, reasonsOf, scoreOf } from "./duplicate-reasons.ts";

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

/** OFFSET 0: without it, the limit makes the planner scan all leads, hoping to meet enough matches soon. */
const part = (condition: string): string => `(SELECT id FROM (SELECT id FROM lead
  WHERE project_id = $1 AND id <> $2 AND deleted_at IS NULL AND merged_into_id IS NULL AND ${condition}
  OFFSET 0) AS alike ORDER BY id LIMIT ${MOST})`;

/** Each part uses one index. */
const CANDIDATES = `SELECT ${KNOWN_BY}, coalesce(${PERSON} = $7::bigint, false) AS same_person,
    (SELECT row_to_json(shown)::text FROM (SELECT ${leadColumns(undefined)}) AS shown) AS json
  FROM lead WHERE project_id = $1 AND id IN (
    ${part("external_id = $3")}
    UNION ${part("lower(email) = ANY ($4::text[])")}
    UNION ${part("emails <> '{}' AND lower_all(emails) && $4::text[]")}
    UNION ${part("phone_e164 = ANY ($5::text[])")}
    UNION ${part("phones <> '{}' AND phone_ends(phones) && $6::text[]")}
    UNION ${part(`company IS NOT NULL AND coalesce(name, first_name || ' ' || last_name) IS NOT NULL AND ${PERSON} = $7::bigint`)})`;

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
    const numbers = numbersOf(lead, country);
    const ends = numbers.map((number) => number.replaceAll(/\D/g, "").slice(-8));
    const found = await db.query<Identity & { same_person: boolean; json: string }>(
      CANDIDATES,
      [projectId, id, lead.external_id, emailsOf(lead), numbers, ends, person],
      { prepare: true },
    );
    const duplicates = found.flatMap((other): Duplicate[] => {
      const reasons = reasonsOf(lead, other, country, other.same_person);
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
