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

/** The texts of a project's own pages. */
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
    membersFor: "who is in the project, and invitations",
    log: "Log",
    logFor: "who did what, and from where",
    bring: "Bring leads in",
    connect: "Connect an assistant",
    give: "Give it this MCP address. It sends you here to sign in and to choose what it may do.",
    deleteTitle: "Delete this project",
    deleteWhat:
      "Every member, key and application loses access at once, and all leads with their timelines are deleted. Nobody can bring them back.",
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
    membersFor: "quem está no projeto, e convites",
    log: "Registro",
    logFor: "quem fez o quê, e de onde",
    bring: "Trazer leads",
    connect: "Conectar um assistente",
    give: "Informe a ele este endereço MCP. Ele traz você aqui para entrar e escolher o que ele pode fazer.",
    deleteTitle: "Excluir este projeto",
    deleteWhat:
      "Todos os membros, chaves e aplicativos perdem o acesso imediatamente, e todos os leads com seus históricos são excluídos. Ninguém pode trazê-los de volta.",
    deleteType: "Digite o nome do projeto para confirmar:",
    deleteButton: "Excluir o projeto e todos os seus leads",
  },
};

type FormWord = "title" | "what" | "name" | "zoneFor" | "countryFor" | "currencyFor" | "save" | "done";

/** The texts of the form with a project's settings. */
export const PROJECT_FORM_WORDS: Words<Record<FormWord, string>> = {
  en: {
    title: "Name and place",
    what: "A change holds from now on, for everybody. Stored leads stay as they are: phone numbers keep the country that they were read with.",
    name: "Name",
    zoneFor:
      "Days of filters and of the dashboard begin at its midnight; times in files that name no zone are read in it.",
    countryFor:
      "Phone numbers without a country code are read as numbers of it; with none, they are kept as text only.",
    currencyFor: "Values of leads that name no currency are shown in it.",
    save: "Save",
    done: "Saved.",
  },
  "pt-BR": {
    title: "Nome e lugar",
    what: "A mudança vale a partir de agora, para todos. Os leads guardados ficam como estão: os telefones mantêm o país com que foram lidos.",
    name: "Nome",
    zoneFor:
      "Os dias dos filtros e do painel começam à meia-noite dele; os horários de arquivos sem fuso são lidos nele.",
    countryFor: "Os telefones sem código do país são lidos como números dele; sem país, ficam só como texto.",
    currencyFor: "Os valores de leads sem moeda são mostrados nela.",
    save: "Salvar",
    done: "Salvo.",
  },
};
