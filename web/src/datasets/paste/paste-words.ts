import type { Words } from "../../words/use-words.ts";

type Word =
  | ("title" | "insert" | "update" | "mode" | "ignored" | "named" | "tooMany" | "import" | "cancel" | "table")
  | ("line" | "save" | "wrong" | "whole" | "noColumns");

export const PASTE_WORDS: Words<Record<Word, string>> = {
  en: {
    title: "Paste into the dataset",
    mode: "What becomes of the cells",
    insert: "Add as new rows",
    update: "Write over the rows from the chosen one on",
    ignored: "left out",
    named: "The first line names the columns.",
    tooMany: "At most 500 rows can be pasted at once. Bring more in as a file.",
    import: "Import a file",
    cancel: "Cancel",
    table: "Pasted cells",
    line: "Line",
    save: "Save all",
    wrong: "Nothing was saved: correct the marked cells here, then save again.",
    whole: "The row",
    noColumns: "None of the columns is meant. Choose a cell further left, or copy the headings too.",
  },
  "pt-BR": {
    title: "Colar no conjunto",
    mode: "O que fazer com as células",
    insert: "Adicionar como novas linhas",
    update: "Gravar sobre as linhas a partir da escolhida",
    ignored: "fica de fora",
    named: "A primeira linha diz quais são as colunas.",
    tooMany: "No máximo 500 linhas podem ser coladas de uma vez. Traga mais em um arquivo.",
    import: "Importar um arquivo",
    cancel: "Cancelar",
    table: "Células coladas",
    line: "Linha",
    save: "Salvar tudo",
    wrong: "Nada foi salvo: corrija aqui as células marcadas, depois salve de novo.",
    whole: "A linha",
    noColumns: "Nenhuma coluna corresponde. Escolha uma célula mais à esquerda, ou copie também os títulos.",
  },
};
