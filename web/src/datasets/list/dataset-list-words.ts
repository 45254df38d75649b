import type { Words } from "../../words/use-words.ts";

type Word =
  | ("title" | "lead" | "create" | "make" | "none" | "noneWhat" | "noneView" | "alone" | "linked")
  | ("running" | "abandoned" | "failed" | "name" | "nameHint" | "key" | "keyHint" | "created" | "cancel")
  | ("columns" | "firstColumn");

export const DATASET_LIST_WORDS: Words<Record<Word, string>> = {
  en: {
    title: "Datasets",
    lead: "Tables of your own beside the leads: companies, orders, contracts. Rows that mean a lead are shown with it, and filters can ask about them.",
    create: "New dataset",
    make: "Create dataset",
    none: "No datasets yet",
    noneWhat:
      "A dataset is a table with columns that you choose. Linked by e-mail, phone or an id, its rows stand beside the leads they mean.",
    noneView: "When somebody makes one, it is listed here.",
    alone: "Not linked to leads",
    linked: "Linked to leads by",
    running: "Columns are changing",
    abandoned: "Change interrupted",
    failed: "Change not made",
    name: "Name",
    nameHint: "Such as “Companies”",
    key: "Key",
    keyHint: "What programs call it: small letters, digits and _.",
    created: "Dataset created",
    cancel: "Cancel",
    columns: "Columns",
    firstColumn: "Name",
  },
  "pt-BR": {
    title: "Conjuntos de dados",
    lead: "Tabelas suas ao lado dos leads: empresas, pedidos, contratos. Linhas de um lead aparecem com ele, e filtros podem perguntar por elas.",
    create: "Novo conjunto",
    make: "Criar conjunto",
    none: "Nenhum conjunto ainda",
    noneWhat:
      "Um conjunto de dados é uma tabela com as colunas que você escolher. Ligadas por e-mail, telefone ou um id, as linhas ficam ao lado de seus leads.",
    noneView: "Quando alguém criar um, ele aparece aqui.",
    alone: "Sem ligação com leads",
    linked: "Ligado a leads por",
    running: "Colunas mudando",
    abandoned: "Mudança interrompida",
    failed: "Mudança não feita",
    name: "Nome",
    nameHint: "Como “Empresas”",
    key: "Chave",
    keyHint: "Como programas o chamam: letras minúsculas, dígitos e _.",
    created: "Conjunto criado",
    cancel: "Cancelar",
    columns: "Colunas",
    firstColumn: "Nome",
  },
};

/** How many columns, in words. */
export const COLUMNS: Words<(count: number, written: string) => string> = {
  en: (count, written) => `${written} ${count === 1 ? "column" : "columns"}`,
  "pt-BR": (count, written) => `${written} ${count === 1 ? "coluna" : "colunas"}`,
};
