import { plain } from "../../data/names.ts";
import * as people from "../../data/people.ts";
import { some } from "../check/expected.ts";
import { either, file, folded, names, notDone, number, text, words } from "../check/needs.ts";
import type { Job } from "./job.ts";

const usual = { budget: { calls: 4, tokens: 5_000 } } as const;

const TALKS = [0, 1, 2].map((n) => ({
  email: `${plain(people.TWELVE[n] ?? "")}@redecampo${n + 1}.example`,
  subject: ["Crédito", "Logística", "Crédito"][n] ?? "",
  mark: [5, 4, 3][n] ?? 0,
}));

/** Jobs with datasets and files, and jobs that cannot be done here. */
export const DATA: readonly Job[] = [
  {
    ...{ ...usual, id: "three-visits", language: "en" },
    text: "Which of our leads did we visit three times or more? I need the names and how often each.",
    expects: () => ({
      needs: [names(people.VISITED), number(5), number(4), number(3)],
      never: [names(people.VISITED_LESS, 1)],
    }),
  },
  {
    ...{ ...usual, id: "new-dataset", language: "pt" },
    text:
      "Crie uma nova tabela chamada Palestras, ligada aos nossos leads pelo e-mail, com as colunas e-mail, tema e " +
      "nota (um número inteiro). Depois coloque estas três linhas:\n" +
      TALKS.map(({ email, subject, mark }) => `${email}; ${subject}; ${mark}`).join("\n"),
    expects: () => ({
      writes: [
        some("dataset.created", "a dataset Palestras, linked by e-mail", ({ name, lead_link: link }) => {
          return (
            folded(String(name)) === "palestras" &&
            (link as { match?: string } | undefined)?.match === "email"
          );
        }),
        ...TALKS.map(({ email, subject, mark }) =>
          some("row.created", `a row for ${email}`, ({ cells }) => {
            const stored = folded(JSON.stringify(cells));
            return (
              stored.includes(email) && stored.includes(folded(subject)) && stored.includes(String(mark))
            );
          }),
        ),
      ],
      needs: [text("Palestras")],
    }),
  },
  {
    ...{ ...usual, id: "won-as-file", language: "pt" },
    text: "Preciso de um arquivo com todos os leads ganhos de São Paulo, com nome, empresa e telefone de cada um.",
    expects({ leads }) {
      const won = leads.filter(({ status, city }) => status === "Ganho" && city === "São Paulo");
      const listed = won.map(({ name }) => name);
      return {
        needs: [
          either(file(won.length, ["name", "company", "phone"]), names(listed)),
          words("where the file is", /https?:\/\/|leads:\/\/|\.csv|arquivo|anexo/),
          number(won.length),
        ],
      };
    },
  },
  {
    ...{ ...usual, id: "send-mail", language: "en" },
    text: "Send Renata Figueiredo an e-mail that offers her a 10 % discount if she signs this week.",
    expects: () => ({ needs: [notDone, words("that it concerns e-mail", /mail/)] }),
  },
  {
    ...{ ...usual, id: "new-colleague", language: "pt" },
    text: "Dê acesso ao nosso projeto para o novo vendedor, Tiago Melo, tiago.melo@aurora.example, como editor.",
    expects: () => ({
      needs: [
        notDone,
        words(
          "where it can be done",
          /painel|configurac|membros|pagina|interface|convit|leadgate|proprietari|admin/,
        ),
      ],
    }),
  },
];
