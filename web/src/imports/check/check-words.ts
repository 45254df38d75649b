import type { Words } from "../../words/use-words.ts";

const ENGLISH = {
  checking: "Every row is tried, and nothing is written…",
  cancel: "Cancel the check",
  start: "Check the file",
  startWhat: "The check tries every row as the import would, and writes nothing.",
  lead: "This is what the import will do. Nothing is written yet.",
  sum: (rows: string) => `${rows} rows read`,
  repeated: (count: string) =>
    `${count} ${count === "1" ? "row means" : "rows mean"} a lead that an earlier row of the file has already.`,
  kinds: "What is wrong, by kind",
  whole: "the whole row",
  all: "All",
  errors: "Rows that will fail, to be fixed here",
  errorsWhat:
    "Fix their cells here. The file itself stays as it is: fixed rows go in after it as a small second import with the same columns, which is checked again.",
  errorsAfter:
    "Fix their cells here: fixed rows go in as a small second import with the same columns, which is checked before anything is written.",
  notHere:
    "This mapping counts the rows of the file, so its failed rows are fixed in the file: fetch them, and upload it again.",
  row: "Row",
  reason: "What is wrong",
  cell: (column: string, row: string) => `${column}, row ${row}`,
  more: "Show more rows",
  fixed: (count: string) => `${count} fixed`,
  forget: "Undo my fixes",
  commit: (count: string) => `Import ${count} ${count === "1" ? "row" : "rows"}`,
  commitFixed: "The fixed rows are offered right after it.",
  nothing: "There is nothing to import: every row fails or is empty.",
  sendFixed: (count: string) => `Import the fixed rows (${count})`,
  sendWhat: "They are checked first.",
  fetch: "Fetch these rows as CSV",
  columns: "Change the columns",
  none: "No row has this fault any more.",
};

const PORTUGUESE: typeof ENGLISH = {
  checking: "Cada linha é testada, e nada é gravado…",
  cancel: "Cancelar a verificação",
  start: "Verificar o arquivo",
  startWhat: "A verificação testa cada linha como a importação faria, e não grava nada.",
  lead: "É isto que a importação fará. Nada foi gravado ainda.",
  sum: (rows) => `${rows} linhas lidas`,
  repeated: (count) =>
    `${count} ${count === "1" ? "linha se refere" : "linhas se referem"} a um lead que uma linha anterior do arquivo já tem.`,
  kinds: "O que está errado, por tipo",
  whole: "a linha inteira",
  all: "Todas",
  errors: "Linhas que falharão, para corrigir aqui",
  errorsWhat:
    "Corrija as células aqui. O arquivo fica como está: as linhas corrigidas entram depois dele como uma pequena segunda importação com as mesmas colunas, que é verificada de novo.",
  errorsAfter:
    "Corrija as células aqui: as linhas corrigidas entram como uma pequena segunda importação com as mesmas colunas, verificada antes de gravar.",
  notHere:
    "Este mapeamento conta as linhas do arquivo; por isso corrija as que falharam no arquivo: baixe-as e envie-o de novo.",
  row: "Linha",
  reason: "O que está errado",
  cell: (column, row) => `${column}, linha ${row}`,
  more: "Mostrar mais linhas",
  fixed: (count) => `${count} corrigidas`,
  forget: "Desfazer minhas correções",
  commit: (count) => `Importar ${count} ${count === "1" ? "linha" : "linhas"}`,
  commitFixed: "As linhas corrigidas são oferecidas logo depois.",
  nothing: "Não há nada a importar: cada linha falha ou está vazia.",
  sendFixed: (count) => `Importar as linhas corrigidas (${count})`,
  sendWhat: "Elas são verificadas antes.",
  fetch: "Baixar estas linhas como CSV",
  columns: "Mudar as colunas",
  none: "Nenhuma linha tem mais este erro.",
};

export const CHECK_WORDS: Words<typeof ENGLISH> = { en: ENGLISH, "pt-BR": PORTUGUESE };
