import type { Encoding, ImportFormat, PresetName } from "../../../../src/contract/lists/files.ts";
import type { Words } from "../../words/use-words.ts";

const ENGLISH = {
  lead: "Check that the file was read correctly, and change what is wrong.",
  format: "Format",
  encoding: "Encoding",
  encodingWhat: "If accented letters look wrong, choose another encoding.",
  delimiter: "Delimiter",
  header: "First row",
  headerYes: "Column names",
  headerNo: "Data",
  preset: "Source program",
  presetNone: "None",
  because: (headers: string) => `Detected from the columns ${headers}.`,
  sheet: "Sheet",
  sheetAgain: "To read another sheet, select the file again.",
  bom: "with byte order mark",
  rows: "Rows",
  size: "Size",
  columns: "Columns and sample values",
  column: "Column",
  samples: "Sample values",
  filled: "Filled",
  next: "Continue to columns",
  read: "File read again",
  reading: "Reading the file again…",
  comma: "Comma (,)",
  semicolon: "Semicolon (;)",
  tab: "Tab",
  bar: "Pipe (|)",
};

const PORTUGUESE: typeof ENGLISH = {
  lead: "Confira se o arquivo foi lido corretamente e altere o que estiver errado.",
  format: "Formato",
  encoding: "Codificação",
  encodingWhat: "Se as letras acentuadas aparecerem erradas, escolha outra codificação.",
  delimiter: "Delimitador",
  header: "Primeira linha",
  headerYes: "Nomes das colunas",
  headerNo: "Dados",
  preset: "Programa de origem",
  presetNone: "Nenhum",
  because: (headers) => `Detectado pelas colunas ${headers}.`,
  sheet: "Planilha",
  sheetAgain: "Para ler outra planilha, selecione o arquivo de novo.",
  bom: "com marca de ordem de bytes",
  rows: "Linhas",
  size: "Tamanho",
  columns: "Colunas e valores de exemplo",
  column: "Coluna",
  samples: "Valores de exemplo",
  filled: "Preenchidas",
  next: "Continuar para as colunas",
  read: "Arquivo lido de novo",
  reading: "Lendo o arquivo de novo…",
  comma: "Vírgula (,)",
  semicolon: "Ponto e vírgula (;)",
  tab: "Tabulação",
  bar: "Barra vertical (|)",
};

export const FILE_WORDS: Words<typeof ENGLISH> = { en: ENGLISH, "pt-BR": PORTUGUESE };

export const FORMATS: Readonly<Record<ImportFormat, string>> = {
  csv: "CSV",
  ndjson: "NDJSON",
  xlsx: "Excel (XLSX)",
};

export const ENCODING_NAMES: Readonly<Record<Encoding, string>> = {
  "utf-8": "UTF-8",
  "utf-16le": "UTF-16 LE",
  "utf-16be": "UTF-16 BE",
  "windows-1252": "Windows-1252 (Latin-1)",
};

export const PRESETS: Readonly<Record<PresetName, string>> = {
  hubspot: "HubSpot",
  salesforce: "Salesforce",
  pipedrive: "Pipedrive",
  mailchimp: "Mailchimp",
  meta_lead_ads: "Meta Lead Ads",
  rd_station: "RD Station",
  google_ads: "Google Ads",
};
