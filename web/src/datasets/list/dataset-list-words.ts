import type { SchemaChangeState } from "../../../../src/contract/lists/datasets.ts";
import type { Words } from "../../words/use-words.ts";

type Word =
  | ("title" | "lead" | "create" | "make" | "none" | "noneWhat" | "noneView" | "alone" | "linked")
  | (SchemaChangeState | "name" | "nameHint" | "key" | "keyHint" | "created" | "cancel")
  | ("columns" | "firstColumn");

export const DATASET_LIST_WORDS: Words<Record<Word, string>> = {
  en: {
    title: "Datasets",
    lead: "Your own tables next to your leads, such as companies, orders or contracts. Linked rows are shown with their lead and can be used in filters.",
    create: "New dataset",
    make: "Create dataset",
    none: "No datasets yet",
    noneWhat:
      "A dataset is a table with the columns you choose. Link its rows to leads by e-mail, phone or ID to see them together.",
    noneView: "Datasets will be listed here.",
    alone: "Not linked to leads",
    linked: "Linked to leads by",
    running: "Changing columns",
    abandoned: "Change interrupted",
    failed: "Change failed",
    name: "Name",
    nameHint: "For example, “Companies”",
    key: "Key",
    keyHint: "The name used by programs: lowercase letters, digits and _.",
    created: "Dataset created",
    cancel: "Cancel",
    columns: "Columns",
    firstColumn: "Name",
  },
  "pt-BR": {
    title: "Conjuntos de dados",
    lead: "Suas próprias tabelas ao lado dos leads, como empresas, pedidos ou contratos. As linhas vinculadas aparecem com o lead e podem ser usadas em filtros.",
    create: "Novo conjunto de dados",
    make: "Criar conjunto de dados",
    none: "Nenhum conjunto de dados ainda",
    noneWhat:
      "Um conjunto de dados é uma tabela com as colunas que você escolher. Vincule as linhas aos leads por e-mail, telefone ou ID para vê-los juntos.",
    noneView: "Os conjuntos de dados aparecerão aqui.",
    alone: "Sem vínculo com leads",
    linked: "Vinculado a leads por",
    running: "Alterando colunas",
    abandoned: "Alteração interrompida",
    failed: "Alteração com falha",
    name: "Nome",
    nameHint: "Por exemplo, “Empresas”",
    key: "Chave",
    keyHint: "O nome usado por programas: letras minúsculas, dígitos e _.",
    created: "Conjunto de dados criado",
    cancel: "Cancelar",
    columns: "Colunas",
    firstColumn: "Nome",
  },
};

/** The number of columns with its noun. */
export const COLUMNS: Words<(count: number, written: string) => string> = {
  en: (count, written) => `${written} ${count === 1 ? "column" : "columns"}`,
  "pt-BR": (count, written) => `${written} ${count === 1 ? "coluna" : "colunas"}`,
};
