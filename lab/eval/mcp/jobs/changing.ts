import { DELETED_KEYS } from "../../data/changes.ts";
import * as people from "../../data/people.ts";
import { OPEN } from "../../data/planted.ts";
import { becomeOne, changed, deleted, event, restored, tagged, unmerged, view } from "../check/expected.ts";
import { asks, either, names, number, text, words } from "../check/needs.ts";
import type { Job } from "./job.ts";

const usual = { budget: { calls: 4, tokens: 4_000 } } as const;
const HOT = { name: "Curitiba hot", value: 20_000 };
const NEW_PHONE = "(81) 99876-1020";

/** Jobs that change leads, or take a change back. */
export const CHANGING: readonly Job[] = [
  {
    ...{ ...usual, id: "save-view", language: "en" },
    text:
      `Save a view named “${HOT.name}” for the team: qualified leads in Curitiba that are worth at least ` +
      "20,000.",
    expects({ leads, id }) {
      const shown = leads.filter(
        ({ status, city, value }) => status === "Qualificado" && city === "Curitiba" && value >= HOT.value,
      );
      return {
        writes: [
          view(
            HOT.name,
            shown.map(({ key }) => id(key)),
          ),
        ],
        needs: [text(HOT.name)],
      };
    },
  },
  {
    ...{ ...usual, id: "merge-duplicates", language: "en", approve: true },
    text:
      "Marcos Teles of Teles Engenharia is in our list several times. Merge the records that are surely the same " +
      "person, and nobody else.",
    expects: ({ id }) => ({
      writes: [becomeOne(["marcos-1", "marcos-2", "marcos-3"].map(id))],
      needs: [words("that they are one now", /merged|combined|one record|single/)],
    }),
  },
  {
    ...{ ...usual, id: "separate-again", language: "pt", approve: true },
    text:
      "O Caio juntou por engano a Júlia Brandão, do Hotel Lago, com a Júlia Brandt, da Vinícola Serra. São duas " +
      "pessoas diferentes: desfaça isso.",
    expects: ({ id }) => ({
      writes: [unmerged(id("julia-brandao"))],
      needs: [text("Brandão"), text("Brandt")],
    }),
  },
  {
    ...{ ...usual, id: "undo-for-vera", language: "en", approve: true },
    text: "Vera changed the status of all the Porto Azul people yesterday by mistake. Put it back to what it was.",
    expects: ({ id }) => ({
      writes: changed(
        people.PORTO_AZUL.map((_, n) => id(`porto-${n}`)),
        { status: "Qualificado" },
      ),
      needs: [number(people.PORTO_AZUL.length), text("Qualificado", "qualified")],
    }),
  },
  {
    ...{ ...usual, id: "do-and-undo", language: "pt" },
    text:
      "Marque a Renata Figueiredo, da Clínica Vivere, como Perdido. Depois, pensando melhor: desfaça essa mudança, " +
      "por favor.",
    expects: () => ({
      needs: [
        words("that it was undone", /desfe|desfiz|desfaz|revert|volt|restaur|qualificado/),
        { says: "two changes", met: ({ changes }) => changes.length >= 2 },
      ],
    }),
  },
  {
    ...{ ...usual, id: "delete-tests", language: "en", approve: true },
    text: "Delete all leads tagged teste. Then bring back Teste Um and Teste Dois, I still need those two.",
    expects: ({ id }) => ({
      writes: deleted(people.TESTS.map((_, n) => id(`test-${n}`)).slice(2)),
      needs: [names(["Teste Um", "Teste Dois"])],
    }),
  },
  {
    ...{ ...usual, id: "restore-two", language: "pt", approve: true },
    text:
      "Anteontem eu apaguei cinco leads de uma vez. Traga de volta só os dois da Construtora Horizonte; os outros " +
      "três podem continuar apagados.",
    expects: ({ id }) => ({
      writes: restored(DELETED_KEYS.slice(0, 2).map(id)),
      needs: [names(people.DELETED.slice(0, 2))],
    }),
  },
  {
    ...{ ...usual, id: "which-ana", language: "en" },
    text: "Ana Souza signed this morning: set her to Ganho.",
    expects: () => ({
      needs: [
        ...[text("Padaria Aurora"), text("Estúdio Norte")],
        either(asks, words("that there are two", /\b(two|both|which|ambiguous)\b/)),
      ],
    }),
  },
  {
    ...{ ...usual, id: "new-phone", language: "pt" },
    text: `A Ana Souza do Estúdio Norte mudou de telefone: agora é ${NEW_PHONE}. Atualize, por favor.`,
    expects: ({ id }) => ({
      writes: changed([id("ana-norte")], { phone: NEW_PHONE }),
      needs: [text("Ana Souza", "telefone", NEW_PHONE)],
    }),
  },
  {
    ...{ ...usual, id: "log-call", language: "en" },
    text:
      "I just spoke with Renata Figueiredo on the phone: she accepts offer 2231. Log the call with that and move her " +
      "to Ganho.",
    expects: ({ id }) => ({
      writes: [
        ...event([id("renata")], /^call\.(made|received)$/, /2231/),
        ...changed([id("renata")], { status: "Ganho" }),
      ],
      needs: [text("Ganho")],
    }),
  },
  {
    ...{ ...usual, id: "give-to-vera", language: "pt", approve: true },
    text: "Passe para a Vera todos os leads de Goiânia com status Qualificado que estão sem responsável.",
    expects({ leads, id, memberId }) {
      const given = leads.filter(
        ({ city, status, owner }) => city === "Goiânia" && status === "Qualificado" && owner === null,
      );
      return {
        writes: changed(
          given.map(({ key }) => id(key)),
          { owner_id: memberId("vera") },
        ),
        needs: [number(given.length)],
      };
    },
  },
  {
    ...{ ...usual, id: "tag-cold", language: "en", approve: true },
    text:
      `Put the tag win-back on every lead that is still open (${OPEN.join(", ")}) and has had no activity for more ` +
      "than 90 days. All of them, even if there are thousands.",
    expects: ({ cold, id }) => ({
      writes: tagged(
        cold.map(({ key }) => id(key)),
        "win-back",
      ),
      needs: [number(cold.length)],
    }),
  },
];
