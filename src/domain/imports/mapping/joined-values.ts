import { OPT_OUT_FIELDS, OPT_OUTS } from "../../../contract/lists/opt-outs.ts";
import { e164Of } from "../../values/read-phone.ts";
import type { Patch, Value } from "../../values/value.ts";

const STRENGTH: readonly Value[] = [true, ...OPT_OUTS, false];

/** What a field gets that another cell of the row filled: the stronger opt-out, both lists, and of other fields the later value. */
export function joined(field: string, before: Value | null | undefined, later: Value): Value {
  if (before === undefined || before === null) return later;
  if (Array.isArray(before) && Array.isArray(later)) return [...new Set([...before, ...later])];
  if (!OPT_OUT_FIELDS.has(field)) return later;
  const [one, other] = [before, later].map((value) => STRENGTH.indexOf(value));
  return one === undefined || other === undefined || one < 0 || one > other ? later : before;
}

const IDENTITIES = ["id", "external_id", "email", "emails", "phone", "phones"];
const LONGEST = 500;

/** Whether a row has something that finds its lead again. */
export const isIdentified = (patch: Patch, more: ReadonlyMap<string, unknown>): boolean =>
  IDENTITIES.some((field) => patch.has(field) || more.has(field));

/** Gives a row that nothing identifies an external id made of some of its cells, unless all of them are blank. */
export function withIdentity(patch: Patch, cells: readonly string[]): void {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== "");
  if (filled.length > 0) patch.set("external_id", filled.join(" · ").slice(0, LONGEST));
}

/**
 * Removes further e-mails and phones that are the main one, of lists that columns with one value each fill. A list that is in one
 * cell is what its program stored, and stays.
 */
export function withoutRepeats(patch: Patch, united: ReadonlySet<string>, country: string | null): void {
  const phoneKey = (text: string) => e164Of(text, country) ?? text.replace(/\D/g, "");
  for (const [main, list, keyOf] of [
    ["email", "emails", (text: string) => text.toLowerCase()],
    ["phone", "phones", phoneKey],
  ] as const) {
    const [own, further] = [patch.get(main), patch.get(list)];
    if (typeof own !== "string" || !Array.isArray(further)) continue;
    if (further.length > 1 && !united.has(list)) continue;
    const left = further.filter((each) => keyOf(each) !== keyOf(own));
    if (left.length > 0) patch.set(list, left);
    else patch.delete(list);
  }
}
