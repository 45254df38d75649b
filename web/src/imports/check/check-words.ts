import type { Words } from "../../words/use-words.ts";

const ENGLISH = {
  checking: "Checking every row. Nothing is written…",
  cancel: "Cancel check",
  start: "Check file",
  startWhat: "The check tries every row as the import would, but writes nothing.",
  lead: "Here is what the import will do. Nothing has been written yet.",
  sum: (rows: string) => `${rows} rows read`,
  optedOut: (count: string) => `${count} ${count === "1" ? "opts" : "opt"} out of contact`,
  optOutsKept: (count: string) => `${count} would clear an opt-out, which is kept`,
  repeated: (count: string) =>
    `${count} ${count === "1" ? "row matches" : "rows match"} the same lead as an earlier row.`,
  kinds: "Errors by type",
  whole: "whole row",
  all: "All",
  errors: "Rows that will fail",
  errorsWhat:
    "Correct their cells here. The file itself does not change: corrected rows are imported after it as a small second import with the same columns, which is checked again.",
  errorsAfter:
    "Correct their cells here. Corrected rows become a small second import with the same columns, which is checked before anything is written.",
  notHere:
    "This mapping uses row numbers, so failed rows must be corrected in the file. Download them, correct them and upload them again.",
  row: "Row",
  reason: "Error",
  cell: (column: string, row: string) => `${column}, row ${row}`,
  more: "Show more rows",
  fixed: (count: string) => `${count} corrected`,
  forget: "Discard my corrections",
  commit: (count: string) => `Import ${count} ${count === "1" ? "row" : "rows"}`,
  commitFixed: "You can import the corrected rows right after.",
  nothing: "There is nothing to import: every row fails or is empty.",
  sendFixed: (count: string) => `Import corrected rows (${count})`,
  sendWhat: "They are checked first.",
  fetch: "Download these rows as CSV",
  columns: "Edit columns",
  none: "No more rows have this error.",
};

const PORTUGUESE: typeof ENGLISH = {
  checking: "Verificando todas as linhas. Nada é gravado…",
  cancel: "Cancelar verificação",
  start: "Verificar arquivo",
  startWhat: "A verificação testa todas as linhas como a importação faria, mas não grava nada.",
  lead: "Veja o que a importação fará. Nada foi gravado ainda.",
  sum: (rows) => `${rows} linhas lidas`,
  optedOut: (count) => `${count} com opt-out`,
  optOutsKept: (count) =>
    count === "1" ? "1 removeria um opt-out, que é mantido" : `${count} removeriam um opt-out, que é mantido`,
  repeated: (count) =>
    `${count} ${count === "1" ? "linha corresponde" : "linhas correspondem"} ao mesmo lead de uma linha anterior.`,
  kinds: "Erros por tipo",
  whole: "linha inteira",
  all: "Todas",
  errors: "Linhas que vão falhar",
  errorsWhat:
    "Corrija as células aqui. O arquivo não muda: as linhas corrigidas são importadas depois dele, em uma pequena segunda importação com as mesmas colunas, que é verificada de novo.",
  errorsAfter:
    "Corrija as células aqui. As linhas corrigidas formam uma pequena segunda importação com as mesmas colunas, verificada antes de gravar qualquer coisa.",
  notHere:
    "Este mapeamento usa números de linha, por isso as linhas com falha precisam ser corrigidas no arquivo. Baixe-as, corrija-as e envie-as de novo.",
  row: "Linha",
  reason: "Erro",
  cell: (column, row) => `${column}, linha ${row}`,
  more: "Mostrar mais linhas",
  fixed: (count) => `${count} corrigidas`,
  forget: "Descartar minhas correções",
  commit: (count) => `Importar ${count} ${count === "1" ? "linha" : "linhas"}`,
  commitFixed: "Você pode importar as linhas corrigidas logo em seguida.",
  nothing: "Não há nada para importar: todas as linhas falham ou estão vazias.",
  sendFixed: (count) => `Importar linhas corrigidas (${count})`,
  sendWhat: "Elas são verificadas antes.",
  fetch: "Baixar estas linhas em CSV",
  columns: "Editar colunas",
  none: "Nenhuma outra linha tem este erro.",
};

export const CHECK_WORDS: Words<typeof ENGLISH> = { en: ENGLISH, "pt-BR": PORTUGUESE };
