import { type Facts, worth } from "../../data/facts.ts";
import { MANAUS } from "../../data/people.ts";
import { MEMBERS, type MemberName, type PlantedLead } from "../../data/planted.ts";
import { names, number, text, words } from "../check/needs.ts";
import type { Job } from "./job.ts";

const usual = { budget: { calls: 3, tokens: 3_000 } } as const;

const won = ({ leads }: Facts) => leads.filter(({ status }) => status === "Ganho");
const inCity = ({ leads }: Facts, wanted: string) => leads.filter(({ city }) => city === wanted);

/** Returns the seller with the most open proposals by value, and the value. */
function bestSeller({ leads }: Facts): { name: string; value: number } {
  const proposals = leads.filter(({ status, owner }) => status === "Proposta" && owner !== null);
  const sums = Object.entries(Object.groupBy(proposals, ({ owner }) => owner as MemberName)).map(
    ([owner, of]: [string, PlantedLead[]]) => ({ owner: owner as MemberName, value: worth(of) }),
  );
  const best = sums.toSorted((a, b) => b.value - a.value)[0];
  if (best === undefined) throw new Error("no proposals are planted");
  return { name: MEMBERS[best.owner].name, value: best.value };
}

/** Jobs that look something up or count it. */
export const COUNTING: readonly Job[] = [
  {
    ...{ ...usual, id: "won-total", language: "en" },
    text: "How many deals have we won so far, and what are they worth in total?",
    expects: (facts) => ({ needs: [number(won(facts).length), number(worth(won(facts)), 0.01)] }),
  },
  {
    ...{ ...usual, id: "won-in-sao-paulo", language: "pt" },
    text: "Quantos leads de São Paulo estão como Ganho?",
    expects: (facts) => ({
      needs: [number(won(facts).filter(({ city }) => city === "São Paulo").length)],
    }),
  },
  {
    ...{ ...usual, id: "whose-phone", language: "en" },
    text: "I missed a call from (11) 91609-7776. Whose number is it, and where do we stand with them?",
    expects: () => ({
      needs: [text("Renata Figueiredo"), text("Clínica Vivere"), text("Qualificado", "qualified")],
      never: [text("Renato Figueira")],
    }),
  },
  {
    ...{ ...usual, id: "city-without-accent", language: "pt" },
    text: "Quantos leads temos em Sao Paulo e quantos no Rio de Janeiro?",
    expects: (facts) => ({
      needs: [number(inCity(facts, "São Paulo").length), number(inCity(facts, "Rio de Janeiro").length)],
    }),
  },
  {
    ...{ ...usual, id: "status-that-is-none", language: "en" },
    text: "How many of our leads have the status Closed Won?",
    expects: (facts) => ({ needs: [text("Ganho"), number(won(facts).length)] }),
  },
  {
    ...{ ...usual, id: "misspelt-city", language: "pt" },
    text: "Quantos leads nós temos em Riberão Preto?",
    expects: (facts) => ({
      needs: [text("Ribeirão Preto"), number(inCity(facts, "Ribeirão Preto").length)],
    }),
  },
  {
    ...{ ...usual, id: "none-in-manaus", language: "en" },
    text:
      "Which of our leads in Manaus are at the proposal stage? If there are none, tell me how many leads we have " +
      "there altogether.",
    expects: () => ({
      needs: [
        words("that there are none", /\b(no|none|zero|not|0|don't|aren't|isn't)\b/),
        number(MANAUS.length),
      ],
    }),
  },
  {
    ...{ ...usual, id: "cold-leads", language: "pt" },
    text:
      "Quantos leads ainda em aberto (nem Ganho nem Perdido) estão sem nenhuma atividade há mais de 90 dias? " +
      "Preciso do número exato.",
    expects: ({ cold }) => ({ needs: [number(cold.length)] }),
  },
  {
    ...{ ...usual, id: "best-pipeline", language: "pt" },
    text: "Qual vendedor tem hoje o maior valor somado em leads na etapa de Proposta, e quanto é?",
    expects(facts) {
      const { name, value } = bestSeller(facts);
      return { needs: [names([name.split(" ")[0] ?? name]), number(value, 0.01)] };
    },
  },
];
