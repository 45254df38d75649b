import * as people from "../../data/people.ts";
import { VIEW_NAME, VIEW_VALUE } from "../../data/plant.ts";
import { names, number, text, words } from "../check/needs.ts";
import type { Job } from "./job.ts";

const usual = { budget: { calls: 4, tokens: 5_000 } } as const;

/** Jobs about what happened, and who did it. */
export const ACTIVITY: readonly Job[] = [
  {
    ...{ ...usual, id: "opened-never-called", language: "en" },
    text:
      "Who opened one of our e-mails in the last seven days and was never called? Tell me how many people that is, " +
      "and the three with the highest value.",
    expects(facts) {
      const openers = people.OPENERS.map((_, n) => facts.lead(`opener-${n}`));
      const best = openers.toSorted((a, b) => b.value - a.value).slice(0, 3);
      return {
        needs: [number(openers.length), names(best.map(({ name }) => name))],
        never: [names(people.CALLED_OPENERS, 1), names(people.FORMER_OPENERS, 1)],
      };
    },
  },
  {
    ...{ ...usual, id: "missed-calls", language: "pt" },
    text:
      "Quem nos ligou nos últimos sete dias, não foi atendido e ainda não recebeu uma ligação nossa de volta? " +
      "Quero só os nomes de quem falta retornar.",
    expects: () => ({ needs: [names(people.MISSED)], never: [names(people.CALLED_BACK, 1)] }),
  },
  {
    ...{ ...usual, id: "before-the-call", language: "en" },
    text:
      "I'm about to call Renata Figueiredo. What did she want when we last reached her by phone, and what has " +
      "happened since?",
    expects: () => ({
      needs: [
        words("14 chairs", /\b(14|fourteen) (\w+ )?chairs/),
        words("the meeting", /moema|carnival|visit|meeting/),
        text("2231"),
      ],
    }),
  },
  {
    ...{ ...usual, id: "message-with-orders", language: "pt" },
    text: "O que o Bruno Salles, da Salles Logística, nos escreveu? Resuma para mim o que ele precisa.",
    expects: () => ({ needs: [number(120), text("dezembro"), text("Campinas")] }),
  },
  {
    ...{ ...usual, id: "since-yesterday", language: "en" },
    text: "What has been changed in our leads since yesterday morning, and who did it?",
    expects: () => ({
      needs: [
        ...[text("Vera"), text("Caio"), text("Porto Azul", ...people.PORTO_AZUL), number(9), number(4)],
        text("Serra Verde", ...people.TAKEN_OVER),
      ],
    }),
  },
  {
    ...{ ...usual, id: "changed-by-vera", language: "pt" },
    text: "Quais leads a Vera alterou nas últimas duas semanas? Preciso dos nomes.",
    expects: () => ({
      needs: [names([...people.PORTO_AZUL, ...people.CORRECTED])],
      never: [names(people.TAKEN_OVER, 1)],
    }),
  },
  {
    ...{ ...usual, id: "why-not-in-view", language: "en" },
    text: `Why doesn't Otávio Lins show up in my saved list “${VIEW_NAME}”?`,
    expects: (facts) => ({ needs: [number(facts.lead("otavio").value), number(VIEW_VALUE)] }),
  },
];
