import { Type } from "typebox";
import type { PreviewedLead } from "../../../../domain/leads/bulk/preview-bulk.ts";
import { unlisted } from "../../protocol/shown-schema.ts";
import { Clear } from "../leads/lead-fields.ts";
import { Selection } from "../leads/selection.ts";
import { leadTitle } from "../shared/lead-link.ts";
import { leadRecord } from "../shared/lead-record.ts";
import { exactly, oneOf, open } from "../shared/words.ts";

/** The arguments of bulk_update_leads. */
export const BulkArguments = exactly({
  ...Selection,
  leads: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      minItems: 1,
      maxItems: 200,
      description: "Instead of a filter: ids, e-mails, phones or full names.",
    }),
  ),
  action: oneOf(["set", "add_tags", "remove_tags", "delete", "restore"], "restore: leads, by id."),
  set: Type.Optional(open("Fields by name; null clears.")),
  clear: Type.Optional(unlisted(Clear)),
  tags: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: 100 })),
  dry_run: Type.Optional(Type.Boolean({ description: "Default true with a filter." })),
  expected_count: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "Of the dry run.",
    }),
  ),
});

const SAMPLE_BYTES = 8_000;

/** Returns the sample as an assistant receives it. */
export function sampleOf(sample: readonly PreviewedLead[]): object[] {
  return sample.map(({ id, name, email, changes }) => {
    const { lead } = leadRecord({ id, changes }, SAMPLE_BYTES);
    return { changes: [], ...lead, title: leadTitle({ id, display_name: name, email }) };
  });
}
