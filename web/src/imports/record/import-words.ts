import type { ImportState } from "../../../../src/contract/lists/states.ts";
import type { Words } from "../../words/use-words.ts";
import type { Step } from "./import-record.ts";

const ENGLISH = {
  title: "Imports",
  lead: "Files imported into leads or datasets, with their results. Imports can be undone.",
  fresh: "Import a file",
  target: "Import into",
  leads: "Leads",
  show: "Show imports of",
  list: "Imports, newest first",
  more: "Show more",
  none: "No imports yet",
  noneWhat: "Drop a CSV, JSON or Excel file. You can review the result before anything is written.",
  noRole: "You need the Editor role to import files. Ask a project owner.",
  by: "by",
  gone: "Import not found",
  goneWhat: "It was removed or belongs to another project.",
  all: "All imports",
  dropHere: "Drop a file here",
  or: "or",
  chooseFile: "Choose a file",
  what: "CSV, TSV, JSON, NDJSON or Excel (XLSX), up to 512 MB; Excel files up to 20 MB. Nothing is written yet.",
  oneFile: "Only one file can be imported at a time. The first one was used.",
  sending: "Sending",
  reading: "Upload complete. Reading the file…",
  cancel: "Cancel",
  again: "Choose another file",
  steps: "Import steps",
  into: "Into",
  fixedOf: "Corrected rows of",
  left: (count: number) => (count === 1 ? "1 question left" : `${count} questions left`),
  leftInFile: (count: number) =>
    count === 1 ? "1 question left in the step “File”" : `${count} questions left in the step “File”`,
};

const PORTUGUESE: typeof ENGLISH = {
  title: "Importações",
  lead: "Arquivos importados para leads ou conjuntos de dados, com seus resultados. É possível desfazer importações.",
  fresh: "Importar um arquivo",
  target: "Importar para",
  leads: "Leads",
  show: "Mostrar importações de",
  list: "Importações, da mais recente à mais antiga",
  more: "Mostrar mais",
  none: "Nenhuma importação ainda",
  noneWhat: "Solte um arquivo CSV, JSON ou Excel. Você confere o resultado antes que algo seja gravado.",
  noRole: "Você precisa do papel de Editor para importar arquivos. Peça a um proprietário do projeto.",
  by: "por",
  gone: "Importação não encontrada",
  goneWhat: "Ela foi removida ou pertence a outro projeto.",
  all: "Todas as importações",
  dropHere: "Solte um arquivo aqui",
  or: "ou",
  chooseFile: "Escolher um arquivo",
  what: "CSV, TSV, JSON, NDJSON ou Excel (XLSX), até 512 MB; arquivos do Excel até 20 MB. Nada é gravado ainda.",
  oneFile: "Só é possível importar um arquivo por vez. O primeiro foi usado.",
  sending: "Enviando",
  reading: "Envio concluído. Lendo o arquivo…",
  cancel: "Cancelar",
  again: "Escolher outro arquivo",
  steps: "Etapas da importação",
  into: "Para",
  fixedOf: "Linhas corrigidas de",
  left: (count) => (count === 1 ? "Falta responder 1 pergunta" : `Faltam responder ${count} perguntas`),
  leftInFile: (count) =>
    count === 1
      ? "Falta responder 1 pergunta na etapa “Arquivo”"
      : `Faltam responder ${count} perguntas na etapa “Arquivo”`,
};

export const IMPORT_WORDS: Words<typeof ENGLISH> = { en: ENGLISH, "pt-BR": PORTUGUESE };

export const IMPORT_STATES: Words<Record<ImportState, string>> = {
  en: {
    ready: "Not imported yet",
    checking: "Checking",
    waiting: "Waiting",
    running: "Importing",
    done: "Imported",
    failed: "Failed",
    cancelled: "Cancelled",
    undoing: "Undoing",
    undone: "Undone",
  },
  "pt-BR": {
    ready: "Ainda não importada",
    checking: "Verificando",
    waiting: "Aguardando",
    running: "Importando",
    done: "Importada",
    failed: "Falhou",
    cancelled: "Cancelada",
    undoing: "Desfazendo",
    undone: "Desfeita",
  },
};

export const STEP_NAMES: Words<Record<Step, string>> = {
  en: { file: "File", columns: "Columns", check: "Check", result: "Result" },
  "pt-BR": { file: "Arquivo", columns: "Colunas", check: "Verificação", result: "Resultado" },
};

/** Texts of refusals on these screens, by code. */
export const REFUSALS: Words<Readonly<Record<string, string>>> = {
  en: {
    wrong_state: "The import has moved to another step. This is its current state.",
    too_large: "The file is too large. Split it, or save a spreadsheet as CSV.",
    no_columns: "Choose a field for at least one column.",
    unknown_question: "The questions have changed. These are the current ones.",
    unknown_choice: "The choices have changed. These are the current ones.",
    expired: "The file has expired. Import it again.",
    fields_missing:
      "A custom field that this import fills was deleted after you started it. Resume the import to create the field again.",
    erased:
      "The file contained a person who was erased, so it was removed. Import it again without that person.",
  },
  "pt-BR": {
    wrong_state: "A importação passou para outra etapa. Este é o estado atual.",
    already_ended: "A importação já terminou.",
    erased:
      "O arquivo continha uma pessoa que foi apagada, por isso foi removido. Importe-o de novo sem essa pessoa.",
    too_large: "O arquivo é grande demais. Divida-o ou salve a planilha como CSV.",
    no_columns: "Escolha um campo para pelo menos uma coluna.",
    unknown_question: "As perguntas mudaram. Estas são as atuais.",
    unknown_choice: "As opções mudaram. Estas são as atuais.",
    empty_file: "O arquivo está vazio.",
    unreadable_csv: "Não foi possível ler o CSV. Talvez falte fechar aspas.",
    unreadable_sheet: "Não foi possível ler a planilha. Salve-a como CSV.",
    unreadable_text: "Não foi possível ler o texto nesta codificação.",
    too_many_columns: "O arquivo tem mais de 500 colunas. Confira o delimitador.",
    too_many_imports: "Há importações demais em aberto. Importe ou cancele alguma.",
    expired: "O arquivo expirou. Importe-o de novo.",
    fields_missing:
      "Um campo personalizado que esta importação preenche foi excluído depois que ela começou. Retome a importação para criar o campo de novo.",
    field_twice: "Duas colunas preenchem o mesmo campo.",
    no_key: "Para atualizar linhas existentes, uma coluna precisa preencher a chave.",
    unsupported_media: "Este tipo de arquivo não é aceito. Envie CSV, JSON, NDJSON ou XLSX.",
    web_page:
      "Este arquivo é uma página da web, não uma tabela. Baixe-o de novo depois de entrar na sua conta, ou abra-o em uma planilha e salve-o como CSV ou XLSX.",
    not_a_table: "Este arquivo não é uma tabela. Salve a tabela como XLSX ou CSV e envie esse arquivo.",
    old_spreadsheet:
      "Este é um arquivo antigo do Excel (XLS) ou tem senha. Abra-o em uma planilha e salve-o como XLSX ou CSV.",
    line_too_long: "Uma linha tem mais de 1.000.000 de caracteres. Confira o delimitador.",
    no_file: "O arquivo não foi enviado por aqui. Importe-o de novo a partir da origem.",
  },
};
