import type { Words } from "../../words/use-words.ts";

type Word =
  | ("title" | "insert" | "update" | "mode" | "ignored" | "named" | "tooMany" | "import" | "cancel" | "table")
  | ("line" | "save" | "wrong" | "whole" | "noColumns");

export const PASTE_WORDS: Words<Record<Word, string>> = {
  en: {
    title: "Paste into dataset",
    mode: "What to do with the cells",
    insert: "Add as new rows",
    update: "Overwrite rows, starting at the selected one",
    ignored: "ignored",
    named: "The first line was read as column names.",
    tooMany: "You can paste up to 500 rows at once. To add more, import a file.",
    import: "Import a file",
    cancel: "Cancel",
    table: "Pasted cells",
    line: "Line",
    save: "Save all",
    wrong: "Nothing was saved. Correct the marked cells, then save again.",
    whole: "Row",
    noColumns: "No columns match. Select a cell further left, or copy the headings too.",
  },
  "pt-BR": {
    title: "Colar no conjunto de dados",
    mode: "O que fazer com as células",
    insert: "Adicionar como novas linhas",
    update: "Sobrescrever linhas a partir da selecionada",
    ignored: "ignorada",
    named: "A primeira linha foi lida como nomes de colunas.",
    tooMany: "É possível colar até 500 linhas por vez. Para adicionar mais, importe um arquivo.",
    import: "Importar um arquivo",
    cancel: "Cancelar",
    table: "Células coladas",
    line: "Linha",
    save: "Salvar tudo",
    wrong: "Nada foi salvo. Corrija as células marcadas e salve de novo.",
    whole: "Linha",
    noColumns: "Nenhuma coluna corresponde. Selecione uma célula mais à esquerda ou copie também os títulos.",
  },
};
