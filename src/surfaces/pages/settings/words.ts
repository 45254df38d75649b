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
  | "applications"
  | "applicationsFor"
  | "members"
  | "membersFor"
  | "suppressions"
  | "suppressionsFor"
  | "log"
  | "logFor"
  | "bring"
  | "bringFile"
  | "bringWhat"
  | "bringNot"
  | "orKey"
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
    applications: "Applications",
    applicationsFor: "assistants and other applications that members connected",
    members: "Members",
    membersFor: "members and invitations",
    suppressions: "Do not contact",
    suppressionsFor: "e-mails and phones of people who opted out",
    log: "Log",
    logFor: "who did what, and from where",
    bring: "Bring leads in",
    bringFile: "Import a file",
    bringWhat: "CSV, Excel or NDJSON. You check every row before importing.",
    bringNot: "You need the Editor role to add leads.",
    orKey: "To send leads from a form or a program, create one of the",
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
    applications: "Aplicativos",
    applicationsFor: "assistentes e outros aplicativos que os membros conectaram",
    members: "Membros",
    membersFor: "membros e convites",
    suppressions: "Não contatar",
    suppressionsFor: "e-mails e telefones de quem pediu para não ser contatado",
    log: "Registro",
    logFor: "quem fez o quê, e de onde",
    bring: "Trazer leads",
    bringFile: "Importar um arquivo",
    bringWhat: "CSV, Excel ou NDJSON. Você confere cada linha antes de importar.",
    bringNot: "Você precisa do papel de Editor para adicionar leads.",
    orKey: "Para enviar leads de um formulário ou programa, crie uma das",
    connect: "Conectar um assistente",
    give: "Informe a ele esta URL MCP. Ele abre esta página para você entrar e escolher o que ele pode fazer.",
    deleteTitle: "Excluir este projeto",
    deleteWhat:
      "Todos os membros, chaves e aplicativos perdem o acesso imediatamente, e todos os leads com seus históricos são excluídos. Isso não pode ser desfeito.",
    deleteType: "Digite o nome do projeto para confirmar:",
    deleteButton: "Excluir o projeto e todos os seus leads",
  },
};

type FormWord = "title" | "what" | "name" | "zoneFor" | "countryFor" | "currencyFor" | "save" | "done";

/** The texts of the form with a project's settings. */
export const PROJECT_FORM_WORDS: Words<Record<FormWord, string>> = {
  en: {
    title: "Name and region",
    what: "Changes apply to everyone from now on. Stored leads stay unchanged: phone numbers keep the country they were read with.",
    name: "Name",
    zoneFor:
      "Days in filters and on the dashboard start at midnight in this zone. Times in files without a zone are read in it.",
    countryFor:
      "Phone numbers without a country code are read as numbers of this country. Without a country, they are stored only as text.",
    currencyFor:
      "Leads without a currency of their own have this one. Changing it changes what their values mean, in lists, filters and sums.",
    save: "Save",
    done: "Saved.",
  },
  "pt-BR": {
    title: "Nome e região",
    what: "As alterações valem para todos a partir de agora. Os leads já salvos não mudam: os telefones mantêm o país com que foram lidos.",
    name: "Nome",
    zoneFor:
      "Os dias dos filtros e do painel começam à meia-noite neste fuso. Horários sem fuso em arquivos são lidos nele.",
    countryFor:
      "Telefones sem código do país são lidos como números deste país. Sem país, ficam salvos só como texto.",
    currencyFor:
      "Leads sem moeda própria têm esta. Alterá-la muda o significado dos valores deles em listas, filtros e somas.",
    save: "Salvar",
    done: "Salvo.",
  },
};
