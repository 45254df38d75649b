import { type Facts, median, responseSeconds, wonPercent } from "../../data/facts.ts";
import type { MemberName } from "../../data/planted.ts";
import { duration, number, percent, text, words } from "../check/needs.ts";
import type { Job } from "./job.ts";

const usual = { budget: { calls: 4, tokens: 5_000 } } as const;

/** Returns the source with the largest share of won leads this quarter. */
function bestSource({ thisQuarter, lastQuarter }: Facts): { name: string; now: number; before: number } {
  const shares = [...Map.groupBy(thisQuarter, ({ source }) => source)].map(([name, of]) => ({
    ...{ name, now: wonPercent(of) },
    before: wonPercent(lastQuarter.filter(({ source }) => source === name)),
  }));
  const best = shares.toSorted((a, b) => b.now - a.now)[0];
  if (best === undefined) throw new Error("no leads are planted in this quarter");
  return best;
}

const medianOf = ({ thisQuarter }: Facts, owner: MemberName): number =>
  median(
    thisQuarter
      .filter((lead) => lead.owner === owner)
      .map(responseSeconds)
      .filter((seconds) => seconds !== undefined),
  );

/** Jobs about periods and response times. */
export const COMPARING: readonly Job[] = [
  {
    ...{ ...usual, id: "best-source", language: "en" },
    text:
      "Compare our lead sources for this quarter with last quarter, by the share of their leads that we won. Which " +
      "source converts best now, and what was its share last quarter?",
    expects(facts) {
      const { name, now, before } = bestSource(facts);
      return { needs: [text(name), percent(now), percent(before)] };
    },
  },
  {
    ...{ ...usual, id: "new-leads-by-quarter", language: "pt" },
    text:
      "Quantos leads novos entraram neste trimestre e quantos entraram no trimestre passado? Qual foi a variação " +
      "em porcentagem?",
    expects({ thisQuarter: now, lastQuarter: before }) {
      const growth = (100 * (now.length - before.length)) / before.length;
      return { needs: [number(now.length), number(before.length), percent(Math.abs(growth))] };
    },
  },
  {
    ...{ ...usual, id: "response-by-seller", language: "en" },
    text:
      "How long do this quarter's new leads wait until we first get back to them, per salesperson? Give me the " +
      "median for each and tell me who is slowest.",
    expects: (facts) => ({
      needs: [
        ...(["vera", "caio", "iara"] as const).map((owner) => duration(medianOf(facts, owner))),
        words("that Iara is slowest", /slow[^.]{0,60}iara|iara[^.]{0,120}slow/),
      ],
    }),
  },
  {
    ...{ ...usual, id: "never-answered", language: "pt" },
    text:
      "Quantos dos leads que entraram neste trimestre ainda não receberam nenhum retorno nosso, nem ligação, nem " +
      "e-mail, nem mensagem?",
    expects: ({ thisQuarter }) => ({
      needs: [number(thisQuarter.filter((lead) => responseSeconds(lead) === undefined).length)],
    }),
  },
];
