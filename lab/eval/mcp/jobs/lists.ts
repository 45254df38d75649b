import { plain } from "../../data/names.ts";
import * as people from "../../data/people.ts";
import { changed, created, event, tagged } from "../check/expected.ts";
import { number, text } from "../check/needs.ts";
import type { Job } from "./job.ts";
import { BAD_GUEST, GUESTS, NEIGHBOURS } from "./pasted.ts";

const webinar = people.TWELVE.map((name, n) => `${plain(name)}@redecampo${n + 1}.example`);

/** Jobs with a pasted list. */
export const LISTS: readonly Job[] = [
  {
    ...{ id: "twelve-notes", language: "pt", budget: { calls: 5, tokens: 5_000 } },
    text:
      "Estas doze pessoas participaram do nosso webinar ontem:\n" +
      `${webinar.join("\n")}\n` +
      "Anote em cada uma delas: “Participou do webinar de ontem”. E mude o status de todas para Qualificado.",
    expects({ id }) {
      const ids = people.TWELVE.map((_, n) => id(`twelve-${n}`));
      return {
        writes: [
          ...event(ids, /^note\.added$/, /participou do webinar/),
          ...changed(ids, { status: "Qualificado" }),
        ],
        needs: [number(ids.length)],
      };
    },
  },
  {
    ...{ id: "thirty-guests", language: "en", budget: { calls: 3, tokens: 5_000 } },
    text:
      "These thirty people left their card at our stand (name, company, e-mail). Add them as new leads with the tag " +
      "feira-2026 and the source Feira ABF. If an e-mail address can't be right, leave that person out and tell me " +
      `who it is.\n${GUESTS.map((guest) => guest.join(", ")).join("\n")}`,
    expects: () => ({
      writes: GUESTS.filter(([name]) => name !== BAD_GUEST).map(([name, company, email]) =>
        created(email, { name, company, tag: "feira-2026", source: "Feira ABF" }),
      ),
      needs: [text(BAD_GUEST), number(GUESTS.length - 1)],
    }),
  },
  {
    ...{ id: "ten-neighbours", language: "pt", budget: { calls: 5, tokens: 5_000 } },
    text:
      "Inclua estas dez pessoas como leads com a etiqueta feira-sul. Quem já está na nossa base não deve ser criado " +
      "de novo nem alterado: só recebe a etiqueta. No fim, diga quantos são novos e quem já existia.\n" +
      NEIGHBOURS.map((guest) => guest.join(", ")).join("\n"),
    expects: ({ id }) => ({
      writes: [
        ...NEIGHBOURS.filter((_, n) => n % 3 !== 1).map(([name, company, email]) =>
          created(email, { name, company, tag: "feira-sul" }),
        ),
        ...tagged(
          people.KNOWN.map((_, n) => id(`known-${n}`)),
          "feira-sul",
        ),
      ],
      needs: [number(NEIGHBOURS.length - people.KNOWN.length), ...people.KNOWN.map((name) => text(name))],
    }),
  },
];
