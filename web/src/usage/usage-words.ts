import type { Words } from "../words/use-words.ts";

type Holding = "leads" | "events" | "datasets" | "rows" | "fields" | "changes" | "views" | "members";

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
    | "indexes"
    | "indexesWhat"
    | "noIndexes"
    | "field"
    | "emailDomain"
    | "indexState"
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
  indexKind: Record<"order" | "parts", string>;
  indexMaker: Record<"project" | "service", string>;
  state: Record<"building" | "ready", string>;
  limit: Record<"api" | "mcp" | "dataset_reads" | "dataset_writes" | "dataset_imports", string>;
  limitWhat: Record<"api" | "mcp" | "dataset_reads" | "dataset_writes" | "dataset_imports", string>;
  over(count: string): string;
  most(count: string): string;
  days(count: number): string;
  perMinute(count: string): string;
  perHour(count: string): string;
}

export const USAGE_WORDS: Words<UsageWords> = {
  en: {
    title: "Limits and usage",
    lead: "The data in this project, its rate limits, and the API keys and applications that access it.",
    holds: "Data",
    holdings: {
      leads: "Leads",
      events: "Events",
      datasets: "Datasets",
      rows: "Dataset rows",
      fields: "Custom fields",
      changes: "Values kept to undo changes",
      views: "Saved views",
      members: "Members",
    },
    over: (count) => `over ${count}`,
    most: (count) => `of ${count}`,
    days: (count) => (count === 1 ? "for 1 day" : `for ${count} days`),
    limits: "Limits",
    limitsWhat:
      "Limits apply separately to each API key, application and user. Requests over a limit are refused with status 429 and change nothing. The Retry-After header gives the seconds to wait.",
    what: "Requests",
    pace: "Rate",
    burst: "Burst",
    limit: {
      api: "API and panel",
      mcp: "Assistants",
      dataset_reads: "Reading datasets",
      dataset_writes: "Writing dataset rows",
      dataset_imports: "Importing into datasets",
    },
    limitWhat: {
      api: "All requests not listed below.",
      mcp: "Messages that an application sends over MCP.",
      dataset_reads: "Each page of up to 500 rows counts once.",
      dataset_writes: "Each request with up to 500 rows counts once.",
      dataset_imports: "Each file counts once.",
    },
    perMinute: (count) => `${count} per minute`,
    perHour: (count) => `${count} per hour`,
    unlimited: "Unlimited",
    indexes: "Indexes",
    indexesWhat:
      "Indexes make sorting and filtering by a field fast in a large project. Leadgate creates them when queries are slow, and removes them if nothing uses them for 30 days. Each index makes writing leads a little slower.",
    noIndexes: "There are no indexes.",
    field: "Field",
    emailDomain: "E-mail domain",
    indexState: "State",
    indexKind: { order: "Order and values", parts: "Parts of the text" },
    indexMaker: { project: "Requested by the project", service: "Made by Leadgate" },
    state: { building: "Being built", ready: "Ready" },
    keys: "API keys",
    noKeys: "There are no API keys.",
    noKeysWhat: "Create one to use the API.",
    manageKeys: "Manage API keys",
    apps: "Connected applications",
    noApps: "No applications are connected.",
    noAppsWhat: "Members connect an application by signing in from it.",
    manageApps: "Manage applications",
    readOnly: "You need the Admin role to see the API keys and applications of this project.",
    name: "Name",
    may: "Access",
    used: "Last used",
    never: "Never",
    people: "Connected by",
    reads: "Read",
    writes: "Write",
    both: "Read and write",
  },
  "pt-BR": {
    title: "Limites e uso",
    lead: "Os dados deste projeto, os limites de uso e as chaves de API e aplicativos que o acessam.",
    holds: "Dados",
    holdings: {
      leads: "Leads",
      events: "Eventos",
      datasets: "Conjuntos de dados",
      rows: "Linhas de conjuntos de dados",
      fields: "Campos personalizados",
      changes: "Valores guardados para desfazer",
      views: "Visões salvas",
      members: "Membros",
    },
    over: (count) => `mais de ${count}`,
    most: (count) => `de ${count}`,
    days: (count) => (count === 1 ? "por 1 dia" : `por ${count} dias`),
    limits: "Limites",
    limitsWhat:
      "Os limites valem separadamente para cada chave de API, aplicativo e usuário. Solicitações acima do limite são recusadas com status 429 e não alteram nada. O cabeçalho Retry-After informa quantos segundos esperar.",
    what: "Solicitações",
    pace: "Taxa",
    burst: "Rajada",
    limit: {
      api: "API e painel",
      mcp: "Assistentes",
      dataset_reads: "Leitura de conjuntos de dados",
      dataset_writes: "Gravação de linhas de dados",
      dataset_imports: "Importação para conjuntos de dados",
    },
    limitWhat: {
      api: "Todas as solicitações não listadas abaixo.",
      mcp: "Mensagens que um aplicativo envia por MCP.",
      dataset_reads: "Cada página de até 500 linhas conta uma vez.",
      dataset_writes: "Cada solicitação com até 500 linhas conta uma vez.",
      dataset_imports: "Cada arquivo conta uma vez.",
    },
    perMinute: (count) => `${count} por minuto`,
    perHour: (count) => `${count} por hora`,
    unlimited: "Sem limite",
    indexes: "Índices",
    indexesWhat:
      "Os índices deixam rápidas a ordenação e a filtragem por um campo em um projeto grande. O Leadgate os cria quando as consultas estão lentas e os remove se nada os usar por 30 dias. Cada índice deixa a gravação de leads um pouco mais lenta.",
    noIndexes: "Não há índices.",
    field: "Campo",
    emailDomain: "Domínio do e-mail",
    indexState: "Situação",
    indexKind: { order: "Ordem e valores", parts: "Partes do texto" },
    indexMaker: { project: "Solicitado pelo projeto", service: "Criado pelo Leadgate" },
    state: { building: "Em construção", ready: "Pronto" },
    keys: "Chaves de API",
    noKeys: "Não há chaves de API.",
    noKeysWhat: "Crie uma para usar a API.",
    manageKeys: "Gerenciar chaves de API",
    apps: "Aplicativos conectados",
    noApps: "Nenhum aplicativo está conectado.",
    noAppsWhat: "Os membros conectam um aplicativo ao entrar a partir dele.",
    manageApps: "Gerenciar aplicativos",
    readOnly:
      "Você precisa do papel de Administrador para ver as chaves de API e os aplicativos deste projeto.",
    name: "Nome",
    may: "Acesso",
    used: "Último uso",
    never: "Nunca",
    people: "Conectado por",
    reads: "Ler",
    writes: "Gravar",
    both: "Ler e gravar",
  },
};

/** The number of members who connected an application, with its noun. */
export const PEOPLE: Words<(count: number, written: string) => string> = {
  en: (count, written) => (count === 1 ? "1 member" : `${written} members`),
  "pt-BR": (count, written) => (count === 1 ? "1 membro" : `${written} membros`),
};
