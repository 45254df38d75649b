import { leaf } from "./said-filters.ts";

/** A string that no statement of ours contains, with characters that end a literal and a comment. */
export const MARK = "zqx'\"; -- */ $1 \\";

/** Valid filters with that string in every kind of value. */
export const HOSTILE_TEXTS: object[] = [
  leaf("name", "eq", MARK),
  leaf("company", "contains", MARK),
  leaf("source", "not_in", [MARK, "b"]),
  leaf("email", "domain_in", [MARK]),
  leaf("tags", "has_all", [MARK]),
  leaf("status", "neq", MARK),
  { event: { type: "a.b", where: leaf(`data.${MARK}`, "eq", MARK) } },
  { event: { type: MARK.replaceAll(/[\s*]/g, ""), count: { op: "gte", value: 2 } } },
  { not: { or: [leaf("city", "starts_with", MARK), leaf("state", "ends_with", MARK)] } },
];
