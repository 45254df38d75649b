import { Type } from "typebox";
import type { Meaning } from "../../contract/lists/figures.ts";
import type { Locale } from "../../core/locale.ts";
import type { Role, Scope } from "../../core/permission.ts";
import { meaningsOf } from "../fields/sales.ts";
import { memberOperation } from "../operation/operation.ts";

/** Leads are counted up to this number. */
export const LEADS_COUNTED = 10_000;

/** What a program or an assistant needs first: the project, the person behind the access, and the project's time. */
export interface ProjectCard {
  project: {
    id: string;
    name: string;
    timezone: string;
    default_country: string | null;
    currency: string | null;
    statuses: string[];
    /** What the statuses mean. */
    meanings: Record<string, Meaning>;
    created_at: string;
    /** The number of leads, counted up to 10,000. */
    leads: number;
  };
  /** The person who granted the access; null for a key. `locale` is null if they chose none. */
  person: { name: string; role: Role; locale: Locale | null } | null;
  /** What the person granted; null for a key. */
  scopes: Scope[] | null;
  /** ISO 8601 with offset. */
  now: string;
  /** The date in the project's time zone. */
  today: string;
}

const CARD = `SELECT json_build_object('id', p.project_id, 'name', p.name, 'timezone', p.timezone,
    'default_country', p.default_country, 'currency', p.currency, 'statuses', p.statuses, 'meanings', p.meanings, 'created_at', p.created_at,
    'leads', (SELECT count(*) FROM (SELECT FROM lead WHERE project_id = $1 AND deleted_at IS NULL
      AND merged_into_id IS NULL LIMIT ${LEADS_COUNTED}) AS counted)) AS project,
  who.person, who.scopes, to_json(moment()) #>> '{}' AS now, local_day(moment(), p.timezone)::text AS today
  FROM project p LEFT JOIN LATERAL (
    SELECT json_build_object('name', person.name, 'role', m.role, 'locale', person.locale) AS person, t.scopes
    FROM access_token t JOIN "authorization" a ON a.project_id = t.project_id AND a.id = t.authorization_id
    JOIN person ON person.id = a.person_id
    JOIN membership m ON m.person_id = a.person_id AND m.project_id = a.project_id
    WHERE t.project_id = $1 AND t.hash = $2) AS who ON true
  WHERE p.project_id = $1`;

/** The project's card. */
export const readProjectCard = memberOperation({
  name: "projects.card",
  needs: "leads:read",
  input: Type.Object({}, { additionalProperties: false }),
  async run({ db, caller }): Promise<ProjectCard> {
    const hash = caller.kind === "token" ? caller.hash : null;
    const [card] = await db.query<ProjectCard>(CARD, [caller.projectId, hash], { prepare: true });
    if (card === undefined) throw new Error("a door opened a project that is not there");
    const { statuses, meanings } = card.project;
    return { ...card, project: { ...card.project, meanings: meaningsOf(statuses, meanings) } };
  },
});
