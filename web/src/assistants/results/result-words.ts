import type { Words } from "../../words/use-words.ts";

interface ResultWords
  extends Record<
    | "leads"
    | "noLeads"
    | "noLeadsWhat"
    | "rows"
    | "noRows"
    | "datasets"
    | "noDatasets"
    | "columns"
    | "duplicates"
    | "noDuplicates"
    | "noDuplicatesWhat"
    | "nameless"
    | "matches"
    | "differs"
    | "alternative"
    | "met"
    | "unmet"
    | "has"
    | "asChart"
    | "asTable"
    | "figure"
    | "group"
    | "summary"
    | "noGroups"
    | "running"
    | "currencies"
    | "noValue"
    | "noOwner"
    | "beforeHead"
    | "change"
    | "partial",
    string
  > {
  leadCount(written: string, count: number): string;
  rowCount(written: string, count: number): string;
  /** Which of all records a page shows. */
  range(from: string, to: string, total: string | undefined): string;
  more(count: string): string;
  all(values: string): string;
  groups(shown: string, total: string): string;
  period(from: string, to: string): string;
  compared(from: string, to: string): string;
  before(written: string): string;
  overall(written: string): string;
  by(figure: string, groups: string): string;
  /** A chart as a sentence, for screen readers. */
  told(figure: string, highest: string, value: string): string;
}

export const RESULT_WORDS: Words<ResultWords> = {
  en: {
    leads: "Leads",
    noLeads: "No leads match",
    noLeadsWhat: "Ask for a different search or fewer conditions.",
    rows: "Rows",
    noRows: "No rows match",
    datasets: "Datasets",
    noDatasets: "No datasets yet",
    columns: "Columns",
    duplicates: "Possible duplicates",
    noDuplicates: "No duplicates",
    noDuplicatesWhat: "No two leads have this in common.",
    nameless: "Unnamed lead",
    matches: "The lead matches",
    differs: "The lead does not match",
    alternative: "One of these groups must be met in full.",
    met: "Met",
    unmet: "Not met",
    has: "the lead has",
    asChart: "Chart",
    asTable: "Table",
    figure: "Figure",
    group: "Group",
    summary: "Summary",
    noGroups: "No leads match",
    running: "The period is not over yet.",
    currencies: "Values are in several currencies, which are never added up.",
    noValue: "No value",
    noOwner: "No owner",
    beforeHead: "Before",
    change: "Change",
    partial: "Not everything fits into one answer.",
    leadCount: (written, count) => `${written} ${count === 1 ? "lead" : "leads"}`,
    rowCount: (written, count) => `${written} ${count === 1 ? "row" : "rows"}`,
    range: (from, to, total) => `${from} to ${to}${total === undefined ? "" : ` of ${total}`}`,
    more: (count) => `${count} or more`,
    all: (values) => `All of these: ${values}`,
    groups: (shown, total) => `${shown} of ${total} groups`,
    period: (from, to) => `${from} to ${to}`,
    compared: (from, to) => `compared with ${from} to ${to}`,
    before: (written) => `from ${written}`,
    overall: (written) => `Overall: ${written}`,
    by: (figure, groups) => `${figure} by ${groups}`,
    told: (figure, highest, value) => `${figure}. Highest: ${highest}, ${value}.`,
  },
  "pt-BR": {
    leads: "Leads",
    noLeads: "Nenhum lead encontrado",
    noLeadsWhat: "Peça outra busca ou menos condições.",
    rows: "Linhas",
    noRows: "Nenhuma linha encontrada",
    datasets: "Conjuntos de dados",
    noDatasets: "Nenhum conjunto de dados ainda",
    columns: "Colunas",
    duplicates: "Possíveis duplicados",
    noDuplicates: "Nenhum duplicado",
    noDuplicatesWhat: "Não há leads com isso em comum.",
    nameless: "Lead sem nome",
    matches: "O lead atende ao filtro",
    differs: "O lead não atende ao filtro",
    alternative: "Um destes grupos precisa ser atendido por inteiro.",
    met: "Atendida",
    unmet: "Não atendida",
    has: "o lead tem",
    asChart: "Gráfico",
    asTable: "Tabela",
    figure: "Indicador",
    group: "Grupo",
    summary: "Resumo",
    noGroups: "Nenhum lead encontrado",
    running: "O período ainda não terminou.",
    currencies: "Os valores estão em várias moedas, que nunca são somadas.",
    noValue: "Sem valor",
    noOwner: "Sem responsável",
    beforeHead: "Antes",
    change: "Variação",
    partial: "Nem tudo cabe em uma resposta.",
    leadCount: (written, count) => `${written} ${count === 1 ? "lead" : "leads"}`,
    rowCount: (written, count) => `${written} ${count === 1 ? "linha" : "linhas"}`,
    range: (from, to, total) => `${from} a ${to}${total === undefined ? "" : ` de ${total}`}`,
    more: (count) => `${count} ou mais`,
    all: (values) => `Em todos: ${values}`,
    groups: (shown, total) => `${shown} de ${total} grupos`,
    period: (from, to) => `${from} a ${to}`,
    compared: (from, to) => `em comparação com ${from} a ${to}`,
    before: (written) => `de ${written}`,
    overall: (written) => `No geral: ${written}`,
    by: (figure, groups) => `${figure} por ${groups}`,
    told: (figure, highest, value) => `${figure}. Maior: ${highest}, ${value}.`,
  },
};
