import type { Queryable } from "../../../db/pool/database.ts";
import type { LeadPatch } from "../../fields/lead-input.ts";
import { e164Of } from "../../values/read-phone.ts";
import type { Value } from "../../values/value.ts";
import type { Fits } from "./decide-lead.ts";

interface Schema {
  country: string | null;
  statuses: string[];
  fields: { key: string; type: string; options: string[] }[];
}

const SCHEMA = `SELECT default_country AS country, statuses,
    (SELECT coalesce(json_agg(json_build_object('key', key, 'type', type, 'options', options)), '[]')
      FROM custom_field WHERE project_id = $1) AS fields
  FROM project WHERE project_id = $1 FOR KEY SHARE`;

const NUMBERS = new Set(["integer", "number"]);

/** What a project's fields take today, and former values as they are written. */
export interface Fitting {
  fits: Fits;
  patchOf(back: ReadonlyMap<string, unknown>): LeadPatch;
}

/** Reads the project's fields; its statuses and fields stay as they are until the commit. */
export async function readFitting(db: Pick<Queryable, "query">, projectId: string): Promise<Fitting> {
  const [schema] = await db.query<Schema>(SCHEMA, [projectId]);
  const { country = null, statuses = [], fields = [] } = schema ?? {};
  const custom = new Map(fields.map((field) => [field.key, field]));
  return {
    fits(field, value) {
      if (field === "status") return statuses.includes(String(value));
      if (!field.startsWith("custom.")) return true;
      const known = custom.get(field.slice(7));
      if (known === undefined) return false;
      if (value === null) return true;
      if (known.type === "enum") return known.options.includes(String(value));
      if (NUMBERS.has(known.type)) return typeof value === "number";
      return known.type === "boolean" ? typeof value === "boolean" : typeof value === "string";
    },
    patchOf(back) {
      const patch: LeadPatch = {};
      for (const [field, value] of back) {
        if (field.startsWith("custom."))
          patch.custom = { ...patch.custom, [field.slice(7)]: value as Value | null };
        else patch[field] = value as Value | null;
        // Not kept with a change: it follows the number and the project's country.
        if (field === "phone") patch.phone_e164 = typeof value === "string" ? e164Of(value, country) : null;
      }
      return patch;
    },
  };
}
