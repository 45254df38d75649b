import { CUSTOM_FIELD_TYPES, type CustomFieldType } from "../../../src/contract/lists/column-types.ts";
import type { Words } from "../words/use-words.ts";

interface FieldWords
  extends Record<
    | "title"
    | "lead"
    | "list"
    | "none"
    | "noneWhat"
    | "create"
    | "readOnly"
    | "edit"
    | "remove"
    | "drag"
    | "up"
    | "down"
    | "moved"
    | "untracked"
    | "untrackedWhat"
    | "indexed"
    | "indexedWhat"
    | "building"
    | "buildingWhat"
    | "untrackedTitle"
    | "untrackedLead"
    | "untrackedFields"
    | "untrackedNone"
    | "untrackedHint"
    | "untrackedSaved"
    | "standard"
    | "standardWhat"
    | "field"
    | "key"
    | "type",
    string
  > {
  more(count: string): string;
}

export const FIELD_WORDS: Words<FieldWords> = {
  en: {
    title: "Fields",
    lead: "The data you keep for each lead. Custom fields are available in tables, filters, imports and the API right away.",
    list: "Custom fields in order",
    none: "No custom fields yet",
    noneWhat:
      "Leads already have a name, contact details, company, status, value and source. Add the data that only your project needs.",
    create: "New field",
    readOnly: "You need the Editor role to change fields.",
    edit: "Edit",
    remove: "Delete",
    drag: "Drag to reorder",
    up: "Move up",
    down: "Move down",
    moved: "Order saved",
    untracked: "Untracked",
    untrackedWhat: "Changes are not shown on timelines.",
    indexed: "Indexed",
    indexedWhat: "Range filters stay fast with any number of leads.",
    building: "Indexing",
    buildingWhat: "Filters on this field are slower until the index is ready.",
    untrackedTitle: "Untracked fields",
    untrackedLead:
      "Changes to these standard fields are not shown on timelines. Use this for fields that change often, such as a score that a program updates every hour. Custom fields have their own setting.",
    untrackedFields: "Untracked standard fields",
    untrackedNone: "All changes are shown on timelines.",
    untrackedHint: "Select fields",
    untrackedSaved: "Untracked fields saved",
    standard: "Standard fields",
    standardWhat: "Every project has these fields. The API, imports and filters use the names below.",
    field: "Field",
    key: "API name",
    type: "Type",
    more: (count) => `and ${count} more`,
  },
  "pt-BR": {
    title: "Campos",
    lead: "Os dados que você guarda de cada lead. Campos personalizados ficam disponíveis na hora em tabelas, filtros, importações e na API.",
    list: "Campos personalizados em ordem",
    none: "Nenhum campo personalizado ainda",
    noneWhat:
      "Leads já têm nome, contato, empresa, status, valor e origem. Adicione os dados que só o seu projeto precisa.",
    create: "Novo campo",
    readOnly: "Você precisa do papel de Editor para alterar campos.",
    edit: "Editar",
    remove: "Excluir",
    drag: "Arraste para reordenar",
    up: "Mover para cima",
    down: "Mover para baixo",
    moved: "Ordem salva",
    untracked: "Não rastreado",
    untrackedWhat: "As alterações não aparecem nas linhas do tempo.",
    indexed: "Indexado",
    indexedWhat: "Filtros por intervalo continuam rápidos com qualquer quantidade de leads.",
    building: "Indexando",
    buildingWhat: "Os filtros por este campo ficam mais lentos até o índice ficar pronto.",
    untrackedTitle: "Campos não rastreados",
    untrackedLead:
      "Alterações nestes campos padrão não aparecem nas linhas do tempo. Use para campos que mudam muito, como uma pontuação que um programa atualiza a cada hora. Campos personalizados têm sua própria configuração.",
    untrackedFields: "Campos padrão não rastreados",
    untrackedNone: "Todas as alterações aparecem nas linhas do tempo.",
    untrackedHint: "Selecionar campos",
    untrackedSaved: "Campos não rastreados salvos",
    standard: "Campos padrão",
    standardWhat: "Todo projeto tem estes campos. A API, as importações e os filtros usam os nomes abaixo.",
    field: "Campo",
    key: "Nome na API",
    type: "Tipo",
    more: (count) => `e mais ${count}`,
  },
};

/** The types that a custom field can have, the usual ones first. */
export const OWN_TYPES: readonly CustomFieldType[] = [
  ...new Set<CustomFieldType>(["text", "enum", ...CUSTOM_FIELD_TYPES]),
];
