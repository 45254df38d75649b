import type { Queryable } from "../../../db/pool/database.ts";
import { type LeadPatch, patchOf } from "../../fields/lead-input.ts";
import { e164Of } from "../../values/read-phone.ts";
import type { Fits } from "../rule/decide.ts";

interface Schema {
  country: string | null;
  statuses: string[];
  members: string[];
}

const SCHEMA = `SELECT default_country AS country, statuses,
    ARRAY(SELECT person_id FROM membership WHERE project_id = $1) AS members
  FROM project WHERE project_id = $1 FOR KEY SHARE`;

/** Locked, so that what a field takes stays so until the commit. */
const FIELDS = "SELECT key, type, options FROM custom_field WHERE project_id = $1 ORDER BY key FOR SHARE";

interface Field {
  key: string;
  type: string;
  options: string[];
}

const NUMBERS = new Set(["integer", "number"]);

/** What a project's fields take today, and former values as they are written. */
export interface Fitting {
  fits: Fits;
  patchOf(back: ReadonlyMap<string, unknown>): LeadPatch;
}

/** Reads the project's fields; its statuses and fields stay as they are until the commit. */
export async function readFitting(db: Pick<Queryable, "query">, projectId: string): Promise<Fitting> {
  const [schema] = await db.query<Schema>(SCHEMA, [projectId]);
  const { country = null, statuses = [], members = [] } = schema ?? {};
  const fields = await db.query<Field>(FIELDS, [projectId]);
  const custom = new Map(fields.map((field) => [field.key, field]));
  return {
    fits(field, value) {
      if (field === "status") return statuses.includes(String(value));
      if (field === "owner_id") return value === null || members.includes(String(value));
      if (!field.startsWith("custom.")) return true;
      const known = custom.get(field.slice(7));
      if (known === undefined) return false;
      if (value === null) return true;
      if (known.type === "enum") return known.options.includes(String(value));
      if (NUMBERS.has(known.type)) return typeof value === "number";
      return known.type === "boolean" ? typeof value === "boolean" : typeof value === "string";
    },
    patchOf(back) {
      const patch = patchOf(back);
      // Not kept with a change: it follows the number and the project's country.
      if (patch.phone !== undefined)
        patch.phone_e164 = typeof patch.phone === "string" ? e164Of(patch.phone, country) : null;
      return patch;
    },
  };
}
