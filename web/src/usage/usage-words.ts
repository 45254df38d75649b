import type { Words } from "../words/use-words.ts";

type Holding = "leads" | "events" | "datasets" | "rows" | "fields" | "views" | "members";

interface UsageWords
  extends Record<
    | "title"
    | "lead"
    | "holds"
    | "limits"
    | "limitsWhat"
    | "what"
    | "pace"
    | "burst"
    | "unlimited"
    | "keys"
    | "noKeys"
    | "noKeysWhat"
    | "manageKeys"
    | "apps"
    | "noApps"
    | "noAppsWhat"
    | "manageApps"
    | "readOnly"
    | "name"
    | "may"
    | "used"
    | "never"
    | "people"
    | "reads"
    | "writes"
    | "both",
    string
  > {
  holdings: Record<Holding, string>;
  limit: Record<"api" | "mcp" | "dataset_reads" | "dataset_writes" | "dataset_imports", string>;
  limitWhat: Record<"api" | "mcp" | "dataset_reads" | "dataset_writes" | "dataset_imports", string>;
  over(count: string): string;
  most(count: string): string;
  perMinute(count: string): string;
  perHour(count: string): string;
}

export const USAGE_WORDS: Words<UsageWords> = {
  en: {
    title: "Limits and usage",
    lead: "What this project holds, how often it may be called, and who calls it.",
    holds: "What it holds",
    holdings: {
      leads: "Leads",
      events: "Events",
      datasets: "Datasets",
      rows: "Dataset rows",
      fields: "Own fields",
      views: "Saved views",
      members: "Members",
    },
    over: (count) => `over ${count}`,
    most: (count) => `of ${count}`,
    limits: "Limits",
    limitsWhat:
      "Each API key, application and person has its own. A call that comes too soon is answered 429, with the seconds to wait in Retry-After; it changes nothing.",
    what: "Calls",
    pace: "Goes on at",
    burst: "At once",
    limit: {
      api: "API and panel",
      mcp: "Assistants",
      dataset_reads: "Reading datasets",
      dataset_writes: "Writing dataset rows",
      dataset_imports: "Importing into datasets",
    },
    limitWhat: {
      api: "Everything that is not counted below.",
      mcp: "Messages of an application over MCP.",
      dataset_reads: "One turn a page of up to 500 rows.",
      dataset_writes: "One turn a call of up to 500 rows.",
      dataset_imports: "One turn a file.",
    },
    perMinute: (count) => `${count} a minute`,
    perHour: (count) => `${count} an hour`,
    unlimited: "Unlimited",
    keys: "API keys",
    noKeys: "No program holds a key.",
    noKeysWhat: "Make one to call the API.",
    manageKeys: "Manage API keys",
    apps: "Connected applications",
    noApps: "No application has access.",
    noAppsWhat: "A member connects one by signing in from it.",
    manageApps: "Those that you connected",
    readOnly: "Owners and admins see here which keys and applications reach this project.",
    name: "Name",
    may: "May",
    used: "Last used",
    never: "Never",
    people: "Through",
    reads: "Read",
    writes: "Write",
    both: "Read and write",
  },
  "pt-BR": {
    title: "Limites e uso",
    lead: "O que este projeto guarda, com que frequência pode ser chamado e por quem é chamado.",
    holds: "O que ele guarda",
    holdings: {
      leads: "Leads",
      events: "Eventos",
      datasets: "Conjuntos de dados",
      rows: "Linhas de dados",
      fields: "Campos próprios",
      views: "Visões salvas",
      members: "Membros",
    },
    over: (count) => `mais de ${count}`,
    most: (count) => `de ${count}`,
    limits: "Limites",
    limitsWhat:
      "Cada chave de API, aplicativo e pessoa tem os seus. Uma chamada cedo demais recebe 429, com os segundos a esperar em Retry-After; ela não altera nada.",
    what: "Chamadas",
    pace: "Segue a",
    burst: "De uma vez",
    limit: {
      api: "API e painel",
      mcp: "Assistentes",
      dataset_reads: "Leitura de conjuntos de dados",
      dataset_writes: "Gravação de linhas de dados",
      dataset_imports: "Importação para conjuntos de dados",
    },
    limitWhat: {
      api: "Tudo o que não é contado abaixo.",
      mcp: "Mensagens de um aplicativo por MCP.",
      dataset_reads: "Uma vez por página de até 500 linhas.",
      dataset_writes: "Uma vez por chamada de até 500 linhas.",
      dataset_imports: "Uma vez por arquivo.",
    },
    perMinute: (count) => `${count} por minuto`,
    perHour: (count) => `${count} por hora`,
    unlimited: "Sem limite",
    keys: "Chaves de API",
    noKeys: "Nenhum programa tem uma chave.",
    noKeysWhat: "Crie uma para chamar a API.",
    manageKeys: "Gerenciar chaves de API",
    apps: "Aplicativos conectados",
    noApps: "Nenhum aplicativo tem acesso.",
    noAppsWhat: "Um membro conecta um ao entrar a partir dele.",
    manageApps: "Os que você conectou",
    readOnly: "Proprietários e administradores veem aqui quais chaves e aplicativos alcançam este projeto.",
    name: "Nome",
    may: "Pode",
    used: "Último uso",
    never: "Nunca",
    people: "Por meio de",
    reads: "Ler",
    writes: "Gravar",
    both: "Ler e gravar",
  },
};

/** Through how many members an application reaches the project. */
export const PEOPLE: Words<(count: number, written: string) => string> = {
  en: (count, written) => (count === 1 ? "1 member" : `${written} members`),
  "pt-BR": (count, written) => (count === 1 ? "1 membro" : `${written} membros`),
};
