import { Type } from "typebox";
import { Hint, maybe, oneOf, Truncated, text, UntrustedContent, whole } from "../shared/words.ts";

const list = (item: Record<string, ReturnType<typeof text>>, description: string) =>
  Type.Array(Type.Object(item), { description });
const texts = (description: string) => Type.Array(Type.String(), { description });

const Field = Type.Object({
  name: text("Its name in filters and answers."),
  label: text("Its label for people."),
  type: text("Its type, which decides its operators."),
  custom: maybe(Type.Boolean({ description: "Whether it is a custom field; values are under custom." })),
  options: maybe(texts("The values to choose from; for status, see statuses.")),
  frequent: maybe(texts("The most frequent values of the newest 1,000 leads.")),
});

const Dataset = Type.Object({
  id: text("The dataset's id, ds_…"),
  key: text("Its key, which tools accept too."),
  name: text("Its label for people."),
  columns: texts("The keys of its columns."),
  link: maybe(text("The column that links rows to leads.")),
});

/** The answer of get_context. */
export const ContextAnswer = Type.Object({
  project: Type.Object(
    {
      id: text("The project's id, prj_…"),
      name: text("Its name."),
      timezone: text("The IANA time zone of its dates."),
      default_country: maybe(text("The country of phone numbers without country code.")),
      currency: maybe(text("ISO 4217.")),
      created_at: text("ISO 8601 with offset."),
      leads: whole("How many leads it has, counted up to 10,000."),
      leads_relation: oneOf(["eq", "gte"], "gte: there are at least as many."),
    },
    { description: "The project that this access is for." },
  ),
  today: text("The date in the project's zone, YYYY-MM-DD."),
  now: text("ISO 8601 with offset."),
  person: maybe(
    Type.Object(
      {
        name: text("Who granted the access."),
        role: text("owner, admin, editor or viewer."),
        locale: maybe(text("The language they read (BCP 47).")),
      },
      { description: "The user of this assistant." },
    ),
  ),
  scopes: maybe(texts("What they granted: mcp:read, mcp:write.")),
  may_write: Type.Boolean({ description: "Whether tools that change data may be used." }),
  statuses: texts("The statuses of leads, in their order; the first is that of new leads."),
  operators: Type.Array(
    Type.Object({ type: text("A type of field."), operators: texts("The operators in filters.") }),
    { description: "The operators by type of field." },
  ),
  fields: Type.Array(Field, { description: "Every field of a lead." }),
  views: list({ id: text("The view's id, view_…"), name: text("Its name.") }, "Saved views, newest first."),
  datasets: Type.Array(Dataset, { description: "The project's tables." }),
  members: list(
    { id: text("The member's id, per_…, as in owner_id."), name: text("Their name.") },
    "Who may own a lead.",
  ),
  limits: Type.Object(
    {
      answer_bytes: whole("How large an answer may be."),
      calls: maybe(
        Type.Object(
          { per_minute: whole("How many in a minute."), burst: whole("How many at once.") },
          { description: "How often tools may be called." },
        ),
      ),
    },
    { description: "The limits of the tools." },
  ),
  truncated: Truncated,
  hint: Hint,
  untrusted_content: UntrustedContent,
});
