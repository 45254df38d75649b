import { Type } from "typebox";

/** At most so many datasets come along. */
export const MOST_INCLUDED = 20;

/** What comes along with a lead. */
export const Include = Type.Array(Type.String({ maxLength: 100 }), {
  maxItems: MOST_INCLUDED,
  description:
    "datasets, or datasets.<key> for some: the newest 20 rows of each that mean the lead, as " +
    '"datasets": {"<key>": {"rows": […], "has_more"}}, which needs datasets:read too; or status_since, when the lead ' +
    "came into its status.",
});
