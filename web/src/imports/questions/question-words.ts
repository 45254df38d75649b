import type { QuestionKind } from "../../../../src/contract/lists/files.ts";
import type { Words } from "../../words/use-words.ts";

const ENGLISH = {
  first: "Answer these first",
  others: "Check what the file leaves open",
  othersWhat: "The suggestion is used where you choose nothing.",
  answerNeeded: "Answer needed",
  suggested: "Suggested",
  earlier: "Answered in an earlier import",
  saving: "Saving…",
  choose: "Choose",
  search: "Search choices",
  nothing: "No choices found",
  /** For a column with values that are not options. */
  values: (column: string, field: string) => `Values in “${column}” that are not options of “${field}”`,
  optOutValues: (column: string) => `Values in “${column}” that do not say whether a person opted out`,
  leadValue: (value: string) => `Option for “${value}”`,
  unused: (count: number) => `Columns to decide about (${count})`,
  unusedWhat: "These columns fill no field, or become notes. Choose what happens to each.",
  all: "Set all to",
  of: (column: string) => `What happens to “${column}”`,
  made: (count: number) => (count === 1 ? "Choices made (1)" : `Choices made (${count})`),
  question: "Question",
  choice: "Choice",
  bySuggestion: "suggested",
  byYou: "chosen",
};

const PORTUGUESE: typeof ENGLISH = {
  first: "Responda primeiro",
  others: "Confira o que o arquivo deixa em aberto",
  othersWhat: "A sugestão vale onde você não escolher nada.",
  answerNeeded: "Falta responder",
  suggested: "Sugestão",
  earlier: "Respondida em uma importação anterior",
  saving: "Salvando…",
  choose: "Escolher",
  search: "Buscar opções",
  nothing: "Nenhuma opção encontrada",
  values: (column, field) => `Valores em “${column}” que não são opções de “${field}”`,
  optOutValues: (column) => `Valores em “${column}” que não dizem se a pessoa fez opt-out`,
  leadValue: (value) => `Opção para “${value}”`,
  unused: (count) => `Colunas para decidir (${count})`,
  unusedWhat: "Estas colunas não preenchem nenhum campo ou viram notas. Escolha o que acontece com cada uma.",
  all: "Definir todas como",
  of: (column) => `O que acontece com “${column}”`,
  made: (count) => (count === 1 ? "Escolhas feitas (1)" : `Escolhas feitas (${count})`),
  question: "Pergunta",
  choice: "Escolha",
  bySuggestion: "sugestão",
  byYou: "escolhida",
};

export const QUESTION_WORDS: Words<typeof ENGLISH> = { en: ENGLISH, "pt-BR": PORTUGUESE };

/** What a sentence needs to know of a question: its columns, its field, examples, and whether it is about leads. */
export interface About {
  column: string;
  columns: string;
  field: string;
  example: string;
  count: number;
  isLeads: boolean;
  /** Whether the service suggests a choice that it is sure of. */
  isSure: boolean;
}

/** A question as a sentence, and what else a person should know. */
export interface Sentence {
  title: string;
  hint?: string;
}

/** `rows` is asked about the end of the file, test leads, and values of a column; `options` about a column with many values. */
type Asked = Exclude<QuestionKind, "rows"> | "footer" | "test" | "rows" | "options";

type Sentences = Readonly<Record<Asked, (about: About) => Sentence>>;

const column: Sentences["note"] = ({ column: name }) => ({ title: `“${name}”` });
const option: Sentences["option"] = ({ example, column: name }) => ({ title: `“${example}” (${name})` });

export const SENTENCES: Words<Sentences> = {
  en: {
    encoding: ({ isSure, example }) => ({
      title: "Which encoding does the file have?",
      hint: isSure
        ? `The file does not name it. Its letters look like ${example}.`
        : "The file does not name it. Choose the reading in which all letters look right.",
    }),
    header_row: () => ({
      title: "Which row has the column names?",
      hint: "Rows above it are left out.",
    }),
    program: () => ({ title: "Which program wrote the file?", hint: "Its columns fit several programs." }),
    footer: ({ count, isLeads }) => ({
      title: count === 1 ? "Import the last row?" : `Import the last ${count} rows?`,
      hint:
        count === 1
          ? `It does not look like a ${isLeads ? "person" : "record"}.`
          : `They do not look like ${isLeads ? "people" : "records"}.`,
    }),
    identity: () => ({
      title: "How are leads recognized that have no ID, external ID, e-mail or phone?",
      hint: "Some rows have none of these. If nothing identifies them, importing the file again creates the same leads again.",
    }),
    two_columns: ({ field, columns }) => ({
      title: `Which column fills “${field}”?`,
      hint: `${columns} all seem to fit. Only one of them can fill it.`,
    }),
    main_phone: () => ({
      title: "Which column has the main phone?",
      hint: "The others become additional phones.",
    }),
    main_email: () => ({
      title: "Which column has the main e-mail?",
      hint: "The others become additional e-mails.",
    }),
    option,
    options: ({ column: name, field }) => ({
      title: `What happens to values in “${name}” that are not options of “${field}”?`,
    }),
    date_order: ({ column: name }) => ({
      title: `How are the dates in “${name}” written?`,
      hint: "They can be read in two ways.",
    }),
    decimals: ({ column: name }) => ({
      title: `How are the numbers in “${name}” written?`,
      hint: "They can be read in two ways.",
    }),
    currency: ({ column: name }) => ({
      title: `In which currency is “${name}”?`,
      hint: "No column has it.",
    }),
    opt_out: ({ column: name }) => ({ title: `Does “${name}” say who opted out of being contacted?` }),
    test: ({ isLeads }) => ({ title: `Import rows that look like test ${isLeads ? "leads" : "records"}?` }),
    rows: ({ column: name, isLeads }) => ({
      title: `Import the rows with these values in “${name}”?`,
      hint: `They do not look like ${isLeads ? "leads" : "records"}.`,
    }),
    note: column,
    unused_column: column,
  },
  "pt-BR": {
    encoding: ({ isSure, example }) => ({
      title: "Qual é a codificação do arquivo?",
      hint: isSure
        ? `O arquivo não a informa. Pelas letras, parece ser ${example}.`
        : "O arquivo não a informa. Escolha a leitura em que todas as letras aparecem certas.",
    }),
    header_row: () => ({
      title: "Em que linha estão os nomes das colunas?",
      hint: "As linhas acima dela não são importadas.",
    }),
    program: () => ({
      title: "Que programa gerou o arquivo?",
      hint: "As colunas combinam com mais de um programa.",
    }),
    footer: ({ count, isLeads }) => ({
      title: count === 1 ? "Importar a última linha?" : `Importar as últimas ${count} linhas?`,
      hint:
        count === 1
          ? `Ela não parece ser ${isLeads ? "uma pessoa" : "um registro"}.`
          : `Elas não parecem ser ${isLeads ? "pessoas" : "registros"}.`,
    }),
    identity: () => ({
      title: "Como reconhecer leads sem ID, ID externo, e-mail ou telefone?",
      hint: "Algumas linhas não têm nenhum deles. Se nada as identificar, importar o arquivo de novo cria os mesmos leads outra vez.",
    }),
    two_columns: ({ field, columns }) => ({
      title: `Que coluna preenche “${field}”?`,
      hint: `${columns} parecem servir. Só uma delas pode preencher o campo.`,
    }),
    main_phone: () => ({
      title: "Que coluna tem o telefone principal?",
      hint: "As outras viram telefones adicionais.",
    }),
    main_email: () => ({
      title: "Que coluna tem o e-mail principal?",
      hint: "As outras viram e-mails adicionais.",
    }),
    option,
    options: ({ column: name, field }) => ({
      title: `O que acontece com valores em “${name}” que não são opções de “${field}”?`,
    }),
    date_order: ({ column: name }) => ({
      title: `Como estão escritas as datas em “${name}”?`,
      hint: "Elas podem ser lidas de duas formas.",
    }),
    decimals: ({ column: name }) => ({
      title: `Como estão escritos os números em “${name}”?`,
      hint: "Eles podem ser lidos de duas formas.",
    }),
    currency: ({ column: name }) => ({
      title: `Em que moeda está “${name}”?`,
      hint: "Nenhuma coluna informa a moeda.",
    }),
    opt_out: ({ column: name }) => ({ title: `“${name}” diz quem fez opt-out de contato?` }),
    test: ({ isLeads }) => ({
      title: `Importar linhas que parecem ser ${isLeads ? "leads" : "registros"} de teste?`,
    }),
    rows: ({ column: name, isLeads }) => ({
      title: `Importar as linhas com estes valores em “${name}”?`,
      hint: `Elas não parecem ser ${isLeads ? "leads" : "registros"}.`,
    }),
    note: column,
    unused_column: column,
  },
};
