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
    lead: "What your leads hold besides the standard fields. Tables, filters, imports and the API know them at once.",
    list: "Fields of your own in their order",
    none: "No fields of your own yet",
    noneWhat: "Name, contact, company, status, value and source are there. Add what only your project knows.",
    create: "New field",
    readOnly: "Your role lets you see the fields. Editors and above can change them.",
    edit: "Change",
    remove: "Delete",
    drag: "Drag to another place",
    up: "Move up",
    down: "Move down",
    moved: "Order saved",
    untracked: "Quiet",
    untrackedWhat: "Its changes are not told on timelines.",
    indexed: "Indexed",
    indexedWhat: "Ranges of it are fast, however many leads there are.",
    building: "Being indexed",
    buildingWhat: "The same answers come slower until the index stands.",
    untrackedTitle: "Kept out of timelines",
    untrackedLead:
      "Standard fields whose changes would only make noise, such as a score that a program writes every hour. A field of your own says it itself.",
    untrackedFields: "Quiet standard fields",
    untrackedNone: "Every change is told.",
    untrackedHint: "Choose fields",
    untrackedSaved: "Quiet fields saved",
    standard: "Standard fields",
    standardWhat: "Every project has these. Their names are those of the API, imports and filters.",
    field: "Field",
    key: "Name in the API",
    type: "Holds",
    more: (count) => `and ${count} more`,
  },
  "pt-BR": {
    title: "Campos",
    lead: "O que seus leads têm além dos campos padrão. Tabelas, filtros, importações e a API os conhecem na hora.",
    list: "Seus próprios campos em sua ordem",
    none: "Ainda não há campos próprios",
    noneWhat:
      "Nome, contato, empresa, status, valor e origem já existem. Adicione o que só o seu projeto sabe.",
    create: "Novo campo",
    readOnly: "Seu papel permite ver os campos. Editores e acima podem alterá-los.",
    edit: "Alterar",
    remove: "Excluir",
    drag: "Arrastar para outro lugar",
    up: "Mover para cima",
    down: "Mover para baixo",
    moved: "Ordem salva",
    untracked: "Silencioso",
    untrackedWhat: "Suas alterações não aparecem nas linhas do tempo.",
    indexed: "Indexado",
    indexedWhat: "Intervalos dele são rápidos, por mais leads que haja.",
    building: "Indexando",
    buildingWhat: "Até o índice ficar pronto, as mesmas respostas demoram mais.",
    untrackedTitle: "Fora das linhas do tempo",
    untrackedLead:
      "Campos padrão cujas alterações só fariam barulho, como uma pontuação que um programa grava a cada hora. Um campo próprio decide por si.",
    untrackedFields: "Campos padrão silenciosos",
    untrackedNone: "Toda alteração é contada.",
    untrackedHint: "Escolher campos",
    untrackedSaved: "Campos silenciosos salvos",
    standard: "Campos padrão",
    standardWhat: "Todo projeto tem estes. Os nomes são os da API, das importações e dos filtros.",
    field: "Campo",
    key: "Nome na API",
    type: "Contém",
    more: (count) => `e mais ${count}`,
  },
};

/** What fields hold, by the types of the API: those of fields of one's own, and of standard ones. */
export const TYPE_NAMES: Words<Record<string, string>> = {
  en: {
    text: "Text",
    integer: "Whole number",
    number: "Number",
    boolean: "Yes or no",
    date: "Date",
    datetime: "Date and time",
    email: "E-mail",
    phone: "Phone",
    url: "Link",
    enum: "One of a few",
    id: "Identifier",
    tags: "Several values",
    object: "Fields of your own",
  },
  "pt-BR": {
    text: "Texto",
    integer: "Número inteiro",
    number: "Número",
    boolean: "Sim ou não",
    date: "Data",
    datetime: "Data e hora",
    email: "E-mail",
    phone: "Telefone",
    url: "Link",
    enum: "Um entre alguns",
    id: "Identificador",
    tags: "Vários valores",
    object: "Seus próprios campos",
  },
};

/** The types that a field of one's own may have. */
export const OWN_TYPES = [
  "text",
  "enum",
  "integer",
  "number",
  "boolean",
  "date",
  "datetime",
  "email",
  "phone",
  "url",
] as const;
