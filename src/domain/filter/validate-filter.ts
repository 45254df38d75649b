import { Type } from "typebox";
import { type Fault, Refusal } from "../../core/refusal.ts";
import type { ProjectSchema } from "../fields/project-schema.ts";
import { LocaleInput } from "../operation/input-faults.ts";
import { type MemberContext, memberOperation } from "../operation/operation.ts";
import { plannedRows } from "../sql/planned-rows.ts";
import { zoneUnknown } from "../values/timezone.ts";
import { readFilter } from "./read/read-filter.ts";
import { sentenceOf } from "./sentence/sentence.ts";
import { leadConditions } from "./sql/lead-conditions.ts";
import { schemaFor } from "./with-schema.ts";

/** What a filter means and finds, or everything that is wrong with it. */
export interface Validation {
  valid: boolean;
  errors: Fault[];
  /** The filter in plain words; null for one that is not valid. */
  sentence: string | null;
  /** Exact up to 10,000 leads, else as the planner expects; null for a filter that is not valid. */
  estimated_count: number | null;
}

const BOUND = 10_000;

/** How long the count may take before the planner's guess has to do. */
const PATIENCE_MS = 1_000;

/** Says what a filter means and about how many leads it finds; a filter that is wrong is an answer, not an error. */
export const validateFilter = memberOperation({
  name: "leads.filters.validate",
  needs: "leads:read",
  input: Type.Object(
    {
      filter: Type.Unknown({ description: "The filter, as in a query." }),
      timezone: Type.Optional(
        Type.String({ maxLength: 64, description: "IANA time zone for dates without a time." }),
      ),
      locale: Type.Optional(LocaleInput),
    },
    { additionalProperties: false },
  ),
  async run(context, { filter, timezone, locale = "en" }): Promise<Validation> {
    const selection = { filter, ...(timezone === undefined ? {} : { timezone }) };
    try {
      const schema = await schemaFor(context, selection);
      const sentence = sentenceOf(readFilter(filter, schema), schema, locale);
      return {
        valid: true,
        errors: [],
        sentence,
        estimated_count: await estimate(context, selection, schema),
      };
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== "malformed") throw error;
      // Nothing may have gone to the database yet, and the door has not been asked.
      await context.db.open();
      return { valid: false, errors: error.faults, sentence: null, estimated_count: null };
    }
  },
});

/** Counted in a second at most (four round trips), else the planner's guess (one more). */
async function estimate(
  { db, caller }: MemberContext,
  selection: { filter: unknown; timezone?: string },
  schema: ProjectSchema,
): Promise<number> {
  const { scope, where } = leadConditions(caller.projectId, selection, schema, BOUND);
  const text = `SELECT FROM lead WHERE ${where} LIMIT ${BOUND + 1}`;
  const rows = (how: "counted" | "planned") => ({
    text,
    values: scope.parameters.values,
    limit: BOUND + 1,
    how,
  });
  try {
    return await db.transaction(async (tx) => {
      await tx.query(`SET LOCAL statement_timeout = ${PATIENCE_MS}`);
      return (await plannedRows(tx, rows("counted")))[0] ?? 0;
    });
  } catch (error) {
    if ((error as { code?: string }).code !== "57014") return zoneUnknown(error as { code?: string });
    return (await plannedRows(db, rows("planned")))[0] ?? 0;
  }
}
