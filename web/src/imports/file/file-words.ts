import type { Words } from "../../words/use-words.ts";

const ENGLISH = {
  lead: "This is what the file looks like. Change what was understood wrongly.",
  format: "Format",
  encoding: "Encoding",
  encodingWhat: "If letters with accents look wrong, choose another.",
  delimiter: "Between columns",
  header: "First row",
  headerYes: "Names the columns",
  headerNo: "Is data already",
  preset: "Written by",
  presetNone: "No program in particular",
  because: (headers: string) => `Seen by the columns ${headers}.`,
  sheet: "Sheet",
  sheetAgain: "To read another sheet, choose the file again.",
  bom: "with byte order mark",
  rows: "Rows",
  size: "Size",
  columns: "The columns, with what stands in them",
  column: "Column",
  samples: "Such as",
  filled: "Filled",
  next: "Continue to the columns",
  read: "The file was read anew",
  reading: "Reading the file anew…",
  comma: "Comma ,",
  semicolon: "Semicolon ;",
  tab: "Tab",
  bar: "Bar |",
};

const PORTUGUESE: typeof ENGLISH = {
  lead: "É assim que o arquivo parece ser. Mude o que foi entendido errado.",
  format: "Formato",
  encoding: "Codificação",
  encodingWhat: "Se letras com acento parecem erradas, escolha outra.",
  delimiter: "Entre as colunas",
  header: "Primeira linha",
  headerYes: "Dá nome às colunas",
  headerNo: "Já são dados",
  preset: "Feito por",
  presetNone: "Nenhum programa em particular",
  because: (headers) => `Reconhecido pelas colunas ${headers}.`,
  sheet: "Planilha",
  sheetAgain: "Para ler outra planilha, escolha o arquivo de novo.",
  bom: "com marca de ordem de bytes",
  rows: "Linhas",
  size: "Tamanho",
  columns: "As colunas, com o que há nelas",
  column: "Coluna",
  samples: "Por exemplo",
  filled: "Preenchidas",
  next: "Continuar para as colunas",
  read: "O arquivo foi lido de novo",
  reading: "Lendo o arquivo de novo…",
  comma: "Vírgula ,",
  semicolon: "Ponto e vírgula ;",
  tab: "Tabulação",
  bar: "Barra |",
};

export const FILE_WORDS: Words<typeof ENGLISH> = { en: ENGLISH, "pt-BR": PORTUGUESE };

export const FORMATS: Readonly<Record<string, string>> = {
  csv: "CSV",
  ndjson: "NDJSON",
  xlsx: "Excel (XLSX)",
};

export const ENCODINGS: Readonly<Record<string, string>> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16 LE",
  "utf-16be": "UTF-16 BE",
  "windows-1252": "Windows-1252 (Latin-1)",
};

export const PRESETS: Readonly<Record<string, string>> = {
  hubspot: "HubSpot",
  salesforce: "Salesforce",
  pipedrive: "Pipedrive",
  mailchimp: "Mailchimp",
  meta_lead_ads: "Meta Lead Ads",
  rd_station: "RD Station",
};
