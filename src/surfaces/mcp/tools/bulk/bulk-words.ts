import { Type } from "typebox";
import type { PreviewedLead } from "../../../../domain/leads/bulk/preview-bulk.ts";
import { Clear, LeadFields } from "../leads/lead-fields.ts";
import { Selection } from "../leads/selection.ts";
import { leadTitle } from "../shared/lead-link.ts";
import { leadRecord } from "../shared/lead-record.ts";
import { anything, exactly, Hint, maybe, oneOf, text, UntrustedContent, whole } from "../shared/words.ts";

/** The arguments of bulk_update_leads. */
export const BulkArguments = exactly({
  ...Selection,
  action: oneOf(["set", "add_tags", "remove_tags"], "What to do to each lead."),
  set: Type.Optional(LeadFields),
  clear: Clear,
  tags: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), {
      minItems: 1,
      maxItems: 100,
      description: "For add_tags and remove_tags.",
    }),
  ),
  dry_run: Type.Optional(
    Type.Boolean({
      default: true,
      description: "Default true: only simulates. false makes the change.",
    }),
  ),
  expected_count: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      description: "With dry_run: false: the number that the dry run returned.",
    }),
  ),
});

const Change = Type.Object({
  field: text("The field."),
  from: maybe(anything("Its value before; absent if it was empty.")),
  to: maybe(anything("Its value afterwards; absent if it is empty.")),
});

/** Its answer. */
export const BulkAnswer = Type.Object({
  dry_run: Type.Boolean({ description: "Whether this was a dry run that changed nothing." }),
  matched: whole("How many leads match."),
  updated: maybe(whole("How many of them change; absent if more than 10,000 match.")),
  unchanged: maybe(whole("How many already have these values.")),
  failed: maybe(whole("How many are unchanged because they would have too many tags.")),
  sample: maybe(
    Type.Array(
      Type.Object({
        id: text("A lead's id."),
        title: text("Its title."),
        changes: Type.Array(Change, { description: "Its changed fields." }),
      }),
      { description: "At most five of the leads, and their changes." },
    ),
  ),
  expected_count: maybe(whole("The expected_count for the real change.")),
  job_id: maybe(text("The background job that makes the change, job_…")),
  hint: Hint,
  untrusted_content: UntrustedContent,
});

const SAMPLE_BYTES = 8_000;

/** Returns the sample as an assistant receives it. */
export function sampleOf(sample: readonly PreviewedLead[]): object[] {
  return sample.map(({ id, name, email, changes }) => {
    const { lead } = leadRecord({ id, changes }, SAMPLE_BYTES);
    return { changes: [], ...lead, title: leadTitle({ id, name, email }) };
  });
}
