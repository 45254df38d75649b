import type { Words } from "../../words/use-words.ts";
import type { ImportState, Step } from "./import-record.ts";

const ENGLISH = {
  title: "Imports",
  lead: "Files of leads, or of rows of datasets: what came of each, and the way back.",
  fresh: "Import a file",
  target: "What the file has",
  leads: "Leads",
  show: "Imports of",
  list: "Imports, newest first",
  more: "Show more",
  none: "Nothing was imported yet",
  noneWhat:
    "Drop a CSV, a spreadsheet or an NDJSON file. You see what becomes of it before anything is written.",
  noRole: "Imports are for editors and above. Ask an owner of the project for the role.",
  by: "by",
  gone: "There is no such import",
  goneWhat: "It was removed, or it is in another project.",
  all: "All imports",
  dropHere: "Drop a file here",
  or: "or",
  chooseFile: "Choose a file",
  what: "CSV, TSV, NDJSON or Excel (XLSX); up to 512 MB, a spreadsheet up to 20 MB. Nothing is written yet.",
  oneFile: "One file at a time. The first one was taken.",
  sending: "Sending",
  reading: "The file is there; it is being read…",
  cancel: "Cancel",
  again: "Choose another file",
  steps: "Steps of the import",
  into: "Into",
  fixedOf: "Fixed rows of",
};

const PORTUGUESE: typeof ENGLISH = {
  title: "Importações",
  lead: "Arquivos de leads ou de linhas de conjuntos de dados: no que deram, e o caminho de volta.",
  fresh: "Importar um arquivo",
  target: "O que o arquivo contém",
  leads: "Leads",
  show: "Importações de",
  list: "Importações, da mais nova à mais antiga",
  more: "Mostrar mais",
  none: "Nada foi importado ainda",
  noneWhat: "Solte um CSV, uma planilha ou um arquivo NDJSON. Você vê no que dá antes que algo seja gravado.",
  noRole: "Importações são para editores e acima. Peça o papel a um proprietário do projeto.",
  by: "por",
  gone: "Esta importação não existe",
  goneWhat: "Ela foi removida, ou é de outro projeto.",
  all: "Todas as importações",
  dropHere: "Solte um arquivo aqui",
  or: "ou",
  chooseFile: "Escolher um arquivo",
  what: "CSV, TSV, NDJSON ou Excel (XLSX); até 512 MB, planilhas até 20 MB. Nada é gravado ainda.",
  oneFile: "Um arquivo por vez. O primeiro foi usado.",
  sending: "Enviando",
  reading: "O arquivo chegou; está sendo lido…",
  cancel: "Cancelar",
  again: "Escolher outro arquivo",
  steps: "Etapas da importação",
  into: "Em",
  fixedOf: "Linhas corrigidas de",
};

export const IMPORT_WORDS: Words<typeof ENGLISH> = { en: ENGLISH, "pt-BR": PORTUGUESE };

export const IMPORT_STATES: Words<Record<ImportState, string>> = {
  en: {
    ready: "Not imported yet",
    checking: "Being checked",
    waiting: "Waiting",
    running: "Importing",
    done: "Imported",
    failed: "Stopped by an error",
    cancelled: "Cancelled",
    undoing: "Being taken back",
    undone: "Taken back",
  },
  "pt-BR": {
    ready: "Ainda não importado",
    checking: "Em verificação",
    waiting: "Aguardando",
    running: "Importando",
    done: "Importado",
    failed: "Parou com um erro",
    cancelled: "Cancelado",
    undoing: "Sendo desfeito",
    undone: "Desfeito",
  },
};

export const STEP_NAMES: Words<Record<Step, string>> = {
  en: { file: "File", columns: "Columns", check: "Check", result: "Result" },
  "pt-BR": { file: "Arquivo", columns: "Colunas", check: "Verificação", result: "Resultado" },
};

/** What the service's refusals mean here. */
export const REFUSALS: Words<Readonly<Record<string, string>>> = {
  en: {
    wrong_state: "The import is at another step by now. This is how it stands.",
    too_large: "The file is too large. Split it, or save a spreadsheet as CSV.",
    no_columns: "Choose a field for at least one column.",
    expired: "The file is no longer kept. Import it again.",
  },
  "pt-BR": {
    wrong_state: "A importação já está em outra etapa. É assim que ela está agora.",
    already_ended: "A importação já terminou.",
    too_large: "O arquivo é grande demais. Divida-o, ou salve a planilha como CSV.",
    no_columns: "Escolha um campo para ao menos uma coluna.",
    empty_file: "O arquivo está vazio.",
    unreadable_csv: "O CSV não pode ser lido. Uma aspa pode não ter sido fechada.",
    unreadable_sheet: "A planilha não pode ser lida. Salve-a como CSV.",
    unreadable_text: "O texto não pode ser lido nesta codificação.",
    too_many_columns: "O arquivo tem mais de 500 colunas; o delimitador está certo?",
    too_many_imports: "Há arquivos demais esperando uma decisão. Importe ou cancele algum.",
    expired: "O arquivo não é mais guardado. Importe-o de novo.",
    field_twice: "Duas colunas preenchem o mesmo campo.",
    no_key: "Para achar as linhas que já existem, uma coluna precisa preencher a chave.",
    unsupported_media: "Este tipo de arquivo não é aceito. Envie CSV, NDJSON ou XLSX.",
    no_file: "O arquivo não foi enviado por aqui; importe-o de novo de onde ele está.",
  },
};
