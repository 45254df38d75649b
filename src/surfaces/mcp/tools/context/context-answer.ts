import { Type } from "typebox";
import { Hint, maybe, oneOf, Truncated, text, UntrustedContent, whole } from "../shared/words.ts";

const list = (item: Record<string, ReturnType<typeof text>>, description: string) =>
  Type.Array(Type.Object(item), { description });
const texts = (description: string) => Type.Array(Type.String(), { description });

const Field = Type.Object({
  name: text("What filters and answers call it."),
  label: text("What people call it."),
  type: text("Its type, which decides its operators."),
  custom: maybe(
    Type.Boolean({ description: "Whether the project added it; its values stand under custom." }),
  ),
  options: maybe(texts("The values to choose from; for status, statuses says them.")),
  frequent: maybe(texts("The commonest values among the newest 1,000 leads.")),
});

const Dataset = Type.Object({
  id: text("The dataset's id, ds_…"),
  key: text("Its key, which tools take too."),
  name: text("What people call it."),
  columns: texts("The keys of its columns."),
  link: maybe(text("The column that says which lead a row means.")),
});

/** What get_context answers. */
export const ContextAnswer = Type.Object({
  project: Type.Object(
    {
      id: text("The project's id, prj_…"),
      name: text("Its name."),
      timezone: text("The IANA zone in which its days are meant."),
      default_country: maybe(text("The country of phone numbers without a country code.")),
      currency: maybe(text("ISO 4217.")),
      created_at: text("ISO 8601 with offset."),
      leads: whole("How many leads it holds, counted up to 10,000."),
      leads_relation: oneOf(["eq", "gte"], "gte: there are at least as many."),
    },
    { description: "The one project that this access reaches." },
  ),
  today: text("The day in the project's zone, YYYY-MM-DD."),
  now: text("ISO 8601 with offset."),
  person: maybe(
    Type.Object(
      {
        name: text("Who granted the access."),
        role: text("owner, admin, editor or viewer."),
        locale: maybe(text("The language they read (BCP 47).")),
      },
      { description: "Whom this assistant works for." },
    ),
  ),
  scopes: maybe(texts("What they granted: mcp:read, mcp:write.")),
  may_write: Type.Boolean({ description: "Whether the tools that change something may be used." }),
  statuses: texts("The statuses of leads, in their order; the first is that of new leads."),
  operators: Type.Array(
    Type.Object({ type: text("A type of field."), operators: texts("What filters may ask of it.") }),
    { description: "The operators by type of field." },
  ),
  fields: Type.Array(Field, { description: "Every field of a lead." }),
  views: list({ id: text("The view's id, view_…"), name: text("Its name.") }, "Saved views, newest first."),
  datasets: Type.Array(Dataset, { description: "The project's own tables." }),
  members: list(
    { id: text("The person's id, per_…, as owner_id has it."), name: text("Their name.") },
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
    { description: "What bounds the tools." },
  ),
  truncated: Truncated,
  hint: Hint,
  untrusted_content: UntrustedContent,
});
