import type { Locale, Words } from "../../../core/locale.ts";
import type { Scope } from "../../../core/permission.ts";
import { grantable } from "../../../domain/grants/issue-code.ts";
import type { OwnProject } from "../../../domain/tenancy/list-projects.ts";
import { type Html, html } from "../../../http/response/html.ts";

interface ChoiceWords {
  project: string;
  readsHere: string;
  what: string;
  readsThere: string;
  scopes: Record<Scope, { name: string; meaning: string }>;
}

const WORDS: Words<ChoiceWords> = {
  en: {
    project: "In which project?",
    readsHere: "you can only read here, and so can the application",
    what: "What may it do?",
    readsThere: "Not in the project you chose: you can only read there.",
    scopes: {
      "mcp:read": { name: "Read", meaning: "See and search leads, their timelines and datasets." },
      "mcp:write": {
        name: "Create, edit and delete",
        meaning: "Change leads and datasets, and import new ones. Clear this to give it read-only access.",
      },
    },
  },
  "pt-BR": {
    project: "Em qual projeto?",
    readsHere: "aqui você só pode ler, e o aplicativo também",
    what: "O que ele pode fazer?",
    readsThere: "Não no projeto escolhido: lá você só pode ler.",
    scopes: {
      "mcp:read": { name: "Ler", meaning: "Ver e pesquisar leads, seus históricos e conjuntos de dados." },
      "mcp:write": {
        name: "Criar, editar e excluir",
        meaning:
          "Alterar leads e conjuntos de dados e importar novos. Desmarque para dar acesso somente de leitura.",
      },
    },
  },
};

/**
 * What a person can choose from: their projects in which some of it may be granted, and their last choice.
 */
export interface Offer {
  projects: readonly OwnProject[];
  asked: readonly Scope[];
  last: { projectId: string; declined: readonly string[] } | undefined;
}

/** Returns the choice of a project: the only one or the last one is selected. */
export function projectChoice({ projects, asked, last }: Offer, locale: Locale): Html {
  const words = WORDS[locale];
  const choices = projects.map(({ id, name, role }) => {
    const less = grantable(asked, role).length < asked.length;
    const chosen = projects.length === 1 || id === last?.projectId;
    return html`<label class="choice${less && " reads"}"><input type="radio" name="project_id" value="${id}" required${chosen && html` checked`}>
<span><bdi>${name}</bdi>${less && html` <small>${words.readsHere}</small>`}</span></label>
`;
  });
  return html`<fieldset class="projects">
<legend>${words.project}</legend>
${choices}</fieldset>`;
}

/**
 * Returns the choice of scopes, ticked as last chosen; scopes that the person cannot grant in any project are
 * disabled.
 */
export function scopeChoice({ projects, asked, last }: Offer, locale: Locale): Html {
  const words = WORDS[locale];
  const choices = asked.map((scope) => {
    const possible = projects.some(({ role }) => grantable([scope], role).length > 0);
    const everywhere = projects.every(({ role }) => grantable([scope], role).length > 0);
    const ticked = possible && last?.declined.includes(scope) !== true;
    const { name, meaning } = words.scopes[scope];
    return html`<label class="choice${!everywhere && " partly"}"><input type="checkbox" name="scope" value="${scope}"${ticked && html` checked`}${!possible && html` disabled`}>
<span><strong>${name}</strong> <small>${meaning}</small>${!everywhere && html` <small class="not-there">${words.readsThere}</small>`}</span></label>
`;
  });
  return html`<fieldset>
<legend>${words.what}</legend>
${choices}</fieldset>`;
}
