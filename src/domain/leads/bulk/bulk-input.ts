import { type Static, Type } from "typebox";
import { MatchOn } from "../../../contract/leads/lead-input.ts";
import { BULK_OPS, type BulkOp, FILTER_OPS } from "../../../contract/lists/bulk.ts";
import { bad } from "../../values/bad-input.ts";

const closed = { additionalProperties: false };

/** The operations allowed with a filter. */
const BY_FILTER: readonly BulkOp[] = FILTER_OPS;

/** A change of many leads: of `items`, each with its own result, or of all leads that a filter finds. */
export const BulkInput = Type.Object(
  {
    op: Type.Enum([...BULK_OPS]),
    items: Type.Optional(
      Type.Array(Type.Unknown(), {
        minItems: 1,
        maxItems: 500,
        description:
          "create, upsert: the fields of a lead. update: {id, version?} and the fields to change. " +
          "set, tag_add, tag_remove, delete, restore: {id, version?}.",
      }),
    ),
    filter: Type.Optional(
      Type.Unknown({
        description:
          "For set, tag_add, tag_remove, delete and restore: applies to every lead that matches, of restore to deleted ones.",
      }),
    ),
    search: Type.Optional(Type.String({ maxLength: 200 })),
    timezone: Type.Optional(Type.String({ maxLength: 64 })),
    expected_count: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: "How many leads the filter matches; 409 if the number differs.",
      }),
    ),
    dry_run: Type.Optional(
      Type.Boolean({ description: "Does everything, returns the result, and rolls it back." }),
    ),
    match_on: Type.Optional(MatchOn),
    fill: Type.Optional(Type.Boolean({ description: "For upsert: writes only what is empty." })),
    clear_opt_out: Type.Optional(
      Type.Boolean({ description: "For upsert, update and set: do_not_contact: false clears an opt-out." }),
    ),
    set: Type.Optional(Type.Unknown({ description: "For set: the fields to change, a LeadInput." })),
    tags: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 100 })),
  },
  closed,
);
export type BulkInput = Static<typeof BulkInput>;

/** Refuses what the schema cannot express: keys that do not fit the op, or are missing for it. */
export function checkBulk({ op, ...input }: BulkInput): void {
  if ((input.items === undefined) === (input.filter === undefined))
    bad("$", "items_or_filter", "must have either items or a filter");
  if (input.filter !== undefined) {
    if (!BY_FILTER.includes(op))
      bad(
        "$.op",
        "needs_items",
        `${op} needs items; with a filter, op must be one of ${BY_FILTER.join(", ")}`,
      );
    if (input.expected_count === undefined && input.dry_run !== true)
      bad(
        "$.expected_count",
        "required",
        "is required with a filter: the number of leads you expect to change",
      );
  }
  only(input, op, "set", ["set"]);
  only(input, op, "tags", ["tag_add", "tag_remove"]);
  for (const key of ["match_on", "fill"] as const)
    if (input[key] !== undefined && op !== "upsert")
      bad(`$.${key}`, "unexpected", "is allowed only for upsert");
  if (input.clear_opt_out !== undefined && op !== "upsert" && op !== "update" && op !== "set")
    bad("$.clear_opt_out", "unexpected", "is allowed only for upsert, update and set");
  for (const key of ["expected_count", "search", "timezone"] as const)
    if (input[key] !== undefined && input.filter === undefined)
      bad(`$.${key}`, "unexpected", "is allowed only with a filter");
}

function only(input: Omit<BulkInput, "op">, op: BulkOp, key: "set" | "tags", ops: readonly BulkOp[]): void {
  if (ops.includes(op) && input[key] === undefined) bad(`$.${key}`, "required", `is required for ${op}`);
  if (!ops.includes(op) && input[key] !== undefined)
    bad(`$.${key}`, "unexpected", `is allowed only for ${ops.join(" and ")}`);
}
