import { bad } from "./bad-input.ts";

const DEEPEST = 8;
const MOST = 100;

/** What must be known of the project before a filter can be read. */
export interface FilterOutline {
  /** It names a custom field, or a phone number without its country. */
  needsFacts: boolean;
}

/** Measures a filter without recursion: at most 8 groups inside each other and 100 conditions. */
export function outlineOf(filter: unknown, path = "$.filter"): FilterOutline {
  const waiting: { node: unknown; path: string; depth: number }[] = [{ node: filter, path, depth: 1 }];
  let conditions = 0;
  let needsFacts = false;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, path: at, depth } = next;
    if (typeof node !== "object" || node === null) continue;
    const inside = "not" in node ? [node.not] : (childrenOf(node) ?? undefined);
    if (inside === undefined) {
      conditions += 1;
      if (conditions > MOST) bad(path, "too_many_conditions", `has more than ${MOST} conditions`);
      needsFacts ||= asksTheProject(node);
      continue;
    }
    if (depth > DEEPEST) bad(at, "too_deep", `nests deeper than ${DEEPEST} groups`);
    // Groups without conditions count too, so that a filter is never larger than a thousand nodes.
    if (inside.length + waiting.length > MOST * (DEEPEST + 2))
      bad(path, "too_many_conditions", "has too many parts");
    const word = "not" in node ? "not" : "and" in node ? "and" : "or";
    inside.forEach((child, i) => {
      waiting.push({
        node: child,
        path: word === "not" ? `${at}.not` : `${at}.${word}[${i}]`,
        depth: depth + 1,
      });
    });
  }
  return { needsFacts };
}

function childrenOf(node: object): unknown[] | undefined {
  const list = "and" in node ? node.and : "or" in node ? node.or : undefined;
  return Array.isArray(list) ? list : undefined;
}

function asksTheProject(node: object): boolean {
  const { field, value } = node as { field?: unknown; value?: unknown };
  if (typeof field !== "string") return false;
  if (field.startsWith("custom.")) return true;
  const numbers = Array.isArray(value) ? value : [value];
  return field === "phone" && numbers.some((number) => typeof number === "string" && !/^\s*\+/.test(number));
}
