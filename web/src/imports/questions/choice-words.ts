import type { Words } from "../../words/use-words.ts";

const ENGLISH = {
  row: (row: string) => `Row ${row}`,
  noRow: "No row has names",
  noProgram: "None of these",
  byName: "Name and company",
  byNothing: "Nothing: create a new lead for each",
  create: (value: string) => `Add “${value}” as an option`,
  noCurrency: "No currency",
  ofProject: (currency: string) => `The project's currency (${currency})`,
};

const PORTUGUESE: typeof ENGLISH = {
  row: (row) => `Linha ${row}`,
  noRow: "Nenhuma linha tem nomes",
  noProgram: "Nenhum destes",
  byName: "Nome e empresa",
  byNothing: "Por nada: criar um novo lead para cada",
  create: (value) => `Adicionar “${value}” como opção`,
  noCurrency: "Sem moeda",
  ofProject: (currency) => `A moeda do projeto (${currency})`,
};

export const CHOICE_WORDS: Words<typeof ENGLISH> = { en: ENGLISH, "pt-BR": PORTUGUESE };

/** The choices of questions that have the same ones in every file, by kind and id. */
export const CHOICES: Words<Readonly<Record<string, Readonly<Record<string, string>>>>> = {
  en: {
    option: {
      blank: "Leave it out",
      keep: "Keep it as the lifecycle stage",
      fail: "Do not import its rows",
      opt_out: "Do not contact the person",
      none: "The person did not opt out",
    },
    opt_out_word: { blank: "It says nothing" },
    date_order: { dmy: "Day first", mdy: "Month first" },
    decimals: { point: "A point separates decimals", comma: "A comma separates decimals" },
    opt_out: { opt_out: "Yes; these people are not contacted", ignore: "No, it says something else" },
    rows: { leave_out: "Leave out", import: "Import" },
    note: { note: "Note on the timeline", keep: "Custom field", drop: "Leave out" },
    unused_column: { note: "Note on the timeline", keep: "Custom field", drop: "Leave out" },
  },
  "pt-BR": {
    option: {
      blank: "Deixar de fora",
      keep: "Manter como estágio no funil",
      fail: "Não importar as linhas dele",
      opt_out: "Não contatar a pessoa",
      none: "A pessoa não fez opt-out",
    },
    opt_out_word: { blank: "Não diz nada" },
    date_order: { dmy: "Dia primeiro", mdy: "Mês primeiro" },
    decimals: { point: "Ponto separa os decimais", comma: "Vírgula separa os decimais" },
    opt_out: { opt_out: "Sim; essas pessoas não são contatadas", ignore: "Não, diz outra coisa" },
    rows: { leave_out: "Deixar de fora", import: "Importar" },
    note: { note: "Nota na linha do tempo", keep: "Campo personalizado", drop: "Deixar de fora" },
    unused_column: { note: "Nota na linha do tempo", keep: "Campo personalizado", drop: "Deixar de fora" },
  },
};
