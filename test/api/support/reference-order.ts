import { comparedAs, fold, type Lead, ownValue } from "./reference.ts";

/** One sort key as a request has it. */
export interface Sort {
  field: string;
  dir?: "asc" | "desc";
  nulls?: "first" | "last";
}

/** Returns leads in an order, newest first by default, implemented as plainly as possible; the id breaks ties. */
export function ordered<L extends Lead>(leads: readonly L[], sort: readonly Sort[]): L[] {
  const asked: readonly Sort[] = sort.length === 0 ? [{ field: "created_at", dir: "desc" }] : sort;
  const keys = asked.map((key) => ({
    ...key,
    values: new Map(leads.map((lead) => [lead, keyOf(key.field, lead)])),
  }));
  return [...leads].sort((a, b) => {
    for (const { dir, nulls = "last", values } of keys) {
      const [left, right] = [values.get(a) ?? null, values.get(b) ?? null];
      if (left === null && right === null) continue;
      if (left === null || right === null) return (left === null) === (nulls === "first") ? -1 : 1;
      const order = compared(left, right);
      if (order !== 0) return dir === "desc" ? -order : order;
    }
    return compared(String(a.id), String(b.id));
  });
}

const FOLDED = new Set([
  "name",
  "first_name",
  "display_name",
  "email",
  "phone",
  "company",
  "city",
  "custom.plan",
  "custom.mail",
]);

function keyOf(field: string, lead: Lead): number | string | null {
  const own = ownValue(comparedAs(field), lead) ?? null;
  if (own === null || typeof own === "number") return own;
  if (/_at$|\.since$|\.at$/.test(field)) return Date.parse(String(own));
  return FOLDED.has(field) ? fold(own) : String(own);
}

/** Compares numbers, or strings by their code points. */
function compared(a: number | string, b: number | string): number {
  if (typeof a === "string" && typeof b === "string") return Buffer.compare(Buffer.from(a), Buffer.from(b));
  return a < b ? -1 : a > b ? 1 : 0;
}
