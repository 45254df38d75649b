import type { Words } from "../../../core/locale.ts";

type Word =
  | "projects"
  | "leads"
  | "orMore"
  | "id"
  | "zone"
  | "country"
  | "currency"
  | "noCountry"
  | "noCurrency"
  | "lastImport"
  | "noImport"
  | "rows"
  | "running"
  | "done"
  | "failed"
  | "role"
  | "settings"
  | "keys"
  | "keysFor"
  | "members"
  | "membersFor"
  | "log"
  | "logFor"
  | "bring"
  | "connect"
  | "give"
  | "deleteTitle"
  | "deleteWhat"
  | "deleteType"
  | "deleteButton";

/** What a project's own pages say. */
export const PROJECT_WORDS: Words<Record<Word, string>> = {
  en: {
    projects: "Projects",
    leads: "Leads",
    orMore: "or more",
    id: "Project id",
    zone: "Time zone",
    country: "Country",
    currency: "Currency",
    noCountry: "None",
    noCurrency: "None",
    lastImport: "Last import",
    noImport: "none yet",
    rows: "rows",
    running: "running",
    done: "done",
    failed: "failed",
    role: "Your role",
    settings: "Settings",
    keys: "API keys",
    keysFor: "for CRMs, automations and dashboards",
    members: "Members",
    membersFor: "members and invitations",
    log: "Log",
    logFor: "who did what, and from where",
    bring: "Import leads",
    connect: "Connect an assistant",
    give: "Give it this MCP URL. It sends you here to sign in and choose what it may do.",
    deleteTitle: "Delete this project",
    deleteWhat:
      "All members, keys and applications lose access immediately, and all leads with their timelines are deleted. This cannot be undone.",
    deleteType: "Type the project's name to confirm:",
    deleteButton: "Delete project and all its leads",
  },
  "pt-BR": {
    projects: "Projetos",
    leads: "Leads",
    orMore: "ou mais",
    id: "Id do projeto",
    zone: "Fuso horário",
    country: "País",
    currency: "Moeda",
    noCountry: "Nenhum",
    noCurrency: "Nenhuma",
    lastImport: "Última importação",
    noImport: "nenhuma ainda",
    rows: "linhas",
    running: "em andamento",
    done: "concluída",
    failed: "falhou",
    role: "Seu papel",
    settings: "Configurações",
    keys: "Chaves de API",
    keysFor: "para CRMs, automações e painéis",
    members: "Membros",
    membersFor: "membros e convites",
    log: "Registro",
    logFor: "quem fez o quê, e de onde",
    bring: "Importar leads",
    connect: "Conectar um assistente",
    give: "Informe a ele esta URL MCP. Ele abre esta página para você entrar e escolher o que ele pode fazer.",
    deleteTitle: "Excluir este projeto",
    deleteWhat:
      "Todos os membros, chaves e aplicativos perdem o acesso imediatamente, e todos os leads com seus históricos são excluídos. Isso não pode ser desfeito.",
    deleteType: "Digite o nome do projeto para confirmar:",
    deleteButton: "Excluir o projeto e todos os seus leads",
  },
};
