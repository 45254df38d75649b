import { type Change, fieldsOf, newChange } from "../../changes/change.ts";
import type { MemberContext } from "../../operation/operation.ts";
import type { BulkInput } from "./bulk-input.ts";
import type { BulkItem } from "./bulk-items.ts";

/** The change that a call makes; if it has only one item, that lead is shown with it. */
export function bulkChange(
  context: MemberContext,
  { op, set }: BulkInput,
  { items = [], jobId }: { items?: readonly BulkItem[]; jobId?: string } = {},
): Change {
  const patches = typeof set === "object" && set !== null ? [set] : items.map(({ patch }) => patch);
  const fields = op.startsWith("tag_") ? ["tags"] : fieldsOf(patches);
  const [only, ...more] = items;
  return newChange(context, "bulk", {
    about: { op, ...(fields.length > 0 ? { fields } : {}) },
    ...(only !== undefined && more.length === 0 && only.id !== "" ? { leadId: only.id } : {}),
    ...(jobId === undefined ? {} : { jobId }),
  });
}
