import { FilterToValidate } from "../../contract/filters/filters.ts";
import { type Fault, Refusal } from "../../core/refusal.ts";
import type { ProjectSchema } from "../fields/project-schema.ts";
import { type MemberContext, memberOperation } from "../operation/operation.ts";
import { plannedRows } from "../sql/planned-rows.ts";
import { zoneUnknown } from "../values/timezone.ts";
import { noteFilter } from "./note-filter.ts";
import { readFilter } from "./read/read-filter.ts";
import { sentenceOf } from "./sentence/sentence.ts";
import { leadConditions } from "./sql/lead-conditions.ts";
import { schemaFor } from "./with-schema.ts";

/** What a filter means and how many leads it finds, or all of its errors. */
export interface Validation {
  valid: boolean;
  errors: Fault[];
  /** What is doubtful about a valid filter. */
  warnings: Fault[];
  /** The filter as a sentence; null if invalid. */
  sentence: string | null;
  /** Exact up to 10,000 leads, else the planner's estimate; null if invalid. */
  estimated_count: number | null;
  /** Whether reads with this filter are expected to run in the slow lane. */
  slow: boolean;
}

const BOUND = 10_000;

/** The time limit of the count; after it the planner's estimate is used. */
const PATIENCE_MS = 1_000;

/**
 * Returns the filter as a sentence with an estimated count, or all of its errors. An invalid filter is a normal
 * result.
 */
export const validateFilter = memberOperation({
  name: "leads.filters.validate",
  needs: "leads:read",
  input: FilterToValidate,
  async run(context, { filter, timezone, locale = "en" }): Promise<Validation> {
    const selection = { filter, ...(timezone === undefined ? {} : { timezone }) };
    try {
      const schema = await schemaFor(context, selection);
      noteFilter(context, selection, schema);
      const sentence = sentenceOf(readFilter(filter, schema), schema, locale);
      return {
        valid: true,
        errors: [],
        warnings: [...(context.service.origin?.warnings ?? [])],
        sentence,
        ...(await estimate(context, selection, schema)),
      };
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== "malformed") throw error;
      // Opens the door explicitly, because no statement may have been sent yet.
      await context.db.open();
      return {
        valid: false,
        errors: error.faults,
        warnings: [],
        sentence: null,
        estimated_count: null,
        slow: false,
      };
    }
  },
});

/**
 * Returns the count if it takes at most one second, else the planner's estimate; and whether it took longer than reads
 * may in the normal lane.
 */
async function estimate(
  { service, db, caller }: MemberContext,
  selection: { filter: unknown; timezone?: string },
  schema: ProjectSchema,
): Promise<Pick<Validation, "estimated_count" | "slow">> {
  const { scope, where } = leadConditions(caller.projectId, selection, schema, BOUND);
  const text = `SELECT FROM lead WHERE ${where} LIMIT ${BOUND + 1}`;
  const rows = (how: "counted" | "planned") => ({
    texts: [text],
    values: scope.parameters.values,
    limit: BOUND + 1,
    how,
  });
  try {
    return await db.transaction(async (tx) => {
      await tx.allow(PATIENCE_MS);
      const since = performance.now();
      const [count = 0] = await plannedRows(tx, service.db, rows("counted"));
      const { fast } = service.config.timeLimits;
      return { estimated_count: count, slow: fast > 0 && performance.now() - since > fast };
    }, "slow");
  } catch (error) {
    if ((error as { code?: string }).code !== "57014") return zoneUnknown(error as { code?: string });
    return { estimated_count: (await plannedRows(db, service.db, rows("planned")))[0] ?? 0, slow: true };
  }
}
