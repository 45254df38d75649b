import { currencyIn, currencyOfCountry, DOLLARS } from "../../values/currency-signs.ts";
import { type Ask, type Asking, ask, choice, cut } from "./ask.ts";

const OFFERED = ["USD", "EUR", "GBP"];

/** Asks for the currency of values, if no column has it. */
export function askCurrency({ draft, columns, target, isGiven }: Asking): Ask[] {
  if (target.rows !== null || isGiven || draft.set.currency !== undefined) return [];
  const rules = [...draft.rules.values()];
  if (rules.some(({ field }) => field === "currency")) return [];
  return columns.flatMap(({ name, samples, values, filled }) => {
    const rule = draft.rules.get(name);
    if (rule?.field !== "value" || filled === 0 || rule.currency !== undefined) return [];
    const cells = [...(values ?? samples), name];
    const signed = [...new Set(cells.flatMap((cell) => currencyIn(cell) ?? []))];
    if (signed.length === 0 && target.currency !== null) return [];
    const own = currencyOfCountry(target.country) ?? [];
    const dollars = cells.some((cell) => cell.includes("$")) ? DOLLARS : [];
    const offered = [...new Set([...signed, own, ...dollars, ...OFFERED].flat())];
    return [
      ask("currency", "currency", {
        columns: [name],
        examples: samples.map(cut),
        message: `No column has the currency of "${name}".`,
        choices: [
          ...(signed.length > 1 ? [choice("signs", "Each amount has its own sign", samples)] : []),
          ...offered.map((code) => choice(code, code, samples)),
          choice(
            "none",
            target.currency === null
              ? "Import the numbers without a currency"
              : `The project's currency, ${target.currency}, applies`,
            samples,
          ),
        ],
        default: signed.length > 1 ? "signs" : (signed[0] ?? "none"),
        apply(code) {
          if (code !== "none") rule.currency = code;
        },
      }),
    ];
  });
}
