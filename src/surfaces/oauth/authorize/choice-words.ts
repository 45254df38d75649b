import type { Words } from "../../../core/locale.ts";
import type { Scope } from "../../../core/permission.ts";
import { type Html, html } from "../../../http/response/html.ts";

interface ChoiceWords {
  project: string;
  /** `number` is the count as text; with `more`, there are more than that. */
  leads(count: number, number: string, more: boolean): string;
  mark(owner: Html | undefined, day: string, end: string): Html;
  readsHere: string;
  what: string;
  readsThere: string;
  untick: string;
  again: string;
  asks: { name: string; meaning: string };
  /** `leads` is the count of the only project that there is to choose. */
  scopes: Record<Scope, { name: string; meaning(leads: string | undefined): Html }>;
}

/** The texts of the choices on the consent page. */
export const CHOICES: Words<ChoiceWords> = {
  en: {
    project: "In which project?",
    leads: (count, number, more) =>
      more
        ? `more than ${number} leads`
        : count === 0
          ? "no leads yet"
          : count === 1
            ? "1 lead"
            : `${number} leads`,
    mark: (owner, day, end) =>
      html`${owner && html`owner ${owner} · `}created on ${day} · ID ending in ${end}`,
    readsHere: "you can only read here, and so can the application",
    what: "What may it do?",
    readsThere: "Not in the project you chose: you can only read there.",
    untick: "Untick this to give it read-only access.",
    again:
      "You did not allow this last time. The application asks for it again: tick it if you want to allow it now.",
    asks: {
      name: "Ask me before each change",
      meaning:
        "The application shows you what it wants to change, and you approve it here. You can change this later.",
    },
    scopes: {
      "mcp:read": {
        name: "Read and export",
        meaning: (
          leads,
        ) => html`See, search and <b>export all leads</b> of the project${leads === undefined ? " you choose" : html` (${leads})`},
with e-mail addresses and phone numbers, their timelines and the datasets.`,
      },
      "mcp:write": {
        name: "Create, edit and delete",
        meaning: () => html`Create, change and <b>delete</b> leads and datasets, and import new ones.`,
      },
    },
  },
  "pt-BR": {
    project: "Em qual projeto?",
    leads: (count, number, more) =>
      more
        ? `mais de ${number} leads`
        : count === 0
          ? "ainda sem leads"
          : count === 1
            ? "1 lead"
            : `${number} leads`,
    mark: (owner, day, end) =>
      html`${owner && html`proprietário: ${owner} · `}criado em ${day} · ID terminado em ${end}`,
    readsHere: "aqui você só pode ler, e o aplicativo também",
    what: "O que ele pode fazer?",
    readsThere: "Não no projeto escolhido: lá você só pode ler.",
    untick: "Desmarque para dar acesso somente de leitura.",
    again:
      "Você não permitiu isto da última vez. O aplicativo está pedindo de novo: marque se quiser permitir agora.",
    asks: {
      name: "Perguntar antes de cada alteração",
      meaning: "O aplicativo mostra o que quer alterar, e você aprova aqui. Você pode mudar isso depois.",
    },
    scopes: {
      "mcp:read": {
        name: "Ler e exportar",
        meaning: (
          leads,
        ) => html`Ver, pesquisar e <b>exportar todos os leads</b> do projeto${leads === undefined ? " escolhido" : html` (${leads})`},
com e-mails e telefones, seus históricos e os conjuntos de dados.`,
      },
      "mcp:write": {
        name: "Criar, editar e excluir",
        meaning: () => html`Criar, alterar e <b>excluir</b> leads e conjuntos de dados e importar novos.`,
      },
    },
  },
};
