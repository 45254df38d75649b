import type { Words } from "../../../core/locale.ts";
import type { Permission } from "../../../core/permission.ts";

type Word =
  | "projects"
  | "project"
  | "settings"
  | "title"
  | "intro"
  | "copy"
  | "once"
  | "try"
  | "none"
  | "name"
  | "permissions"
  | "created"
  | "used"
  | "never"
  | "revoked"
  | "revoke"
  | "fresh"
  | "what"
  | "create"
  | "usual"
  | "dashboard"
  | "form"
  | "sync"
  | "leads"
  | "datasets"
  | "withhold"
  | "withholdWhat"
  | "noExport";

/** The texts of the page of a project's keys. */
export const KEY_WORDS: Words<Record<Word | Permission, string>> = {
  en: {
    projects: "Projects",
    project: "Project",
    settings: "Settings",
    title: "API keys",
    intro:
      "A key works only for this project, with the permissions that you select. Keep it on a server: never in a web page, an app or a repository.",
    copy: "Copy your new key now",
    once: "It is not stored and cannot be shown again.",
    try: "Try it:",
    none: "No keys yet. Create the first one below.",
    name: "Name",
    permissions: "Permissions",
    created: "Created",
    used: "Last used",
    never: "never",
    revoked: "revoked",
    revoke: "Revoke",
    fresh: "New key",
    what: "What will use it?",
    create: "Create key",
    usual: "Choose the permissions for:",
    dashboard: "a dashboard that reads leads",
    form: "a form plug-in that only creates leads",
    sync: "a CRM or an automation that reads and writes leads",
    leads: "Leads",
    datasets: "Datasets",
    withhold: "May not export",
    withholdWhat: "It reads leads page by page, but makes no files of them.",
    noExport: "no export",
    "leads:read": "Query, open and export leads and their timelines",
    "leads:write": "Create, edit and delete leads; without leads:read, no stored value is shown",
    "leads:create":
      "Create leads, or change the one with the same e-mail, phone or external id, without learning anything about the leads that are stored",
    "leads:erase": "Erase people and leads for good",
    "schema:write": "Change statuses, custom fields and untracked fields",
    "datasets:read": "Read datasets",
    "datasets:write": "Write rows of datasets",
    "datasets:import": "Import files into datasets",
  },
  "pt-BR": {
    projects: "Projetos",
    project: "Projeto",
    settings: "Configurações",
    title: "Chaves de API",
    intro:
      "Uma chave funciona só neste projeto, com as permissões marcadas. Guarde-a em um servidor: nunca em uma página, um aplicativo ou um repositório.",
    copy: "Copie sua nova chave agora",
    once: "Ela não fica salva e não pode ser mostrada de novo.",
    try: "Experimente:",
    none: "Ainda não há chaves. Crie a primeira abaixo.",
    name: "Nome",
    permissions: "Permissões",
    created: "Criada",
    used: "Último uso",
    never: "nunca",
    revoked: "revogada em",
    revoke: "Revogar",
    fresh: "Nova chave",
    what: "O que vai usá-la?",
    create: "Criar chave",
    usual: "Escolher as permissões para:",
    dashboard: "um painel que lê leads",
    form: "um plug-in de formulário que só cria leads",
    sync: "um CRM ou uma automação que lê e grava leads",
    leads: "Leads",
    datasets: "Conjuntos de dados",
    withhold: "Não pode exportar",
    withholdWhat: "Ela lê leads página por página, mas não gera arquivos com eles.",
    noExport: "sem exportação",
    "leads:read": "Consultar, abrir e exportar leads e seus históricos",
    "leads:write": "Criar, editar e excluir leads; sem leads:read, nenhum valor salvo é mostrado",
    "leads:create":
      "Criar leads, ou alterar o que tem o mesmo e-mail, telefone ou id externo, sem saber nada dos leads salvos",
    "leads:erase": "Apagar pessoas e leads para sempre",
    "schema:write": "Mudar status, campos personalizados e campos não registrados",
    "datasets:read": "Ler conjuntos de dados",
    "datasets:write": "Gravar linhas em conjuntos de dados",
    "datasets:import": "Importar arquivos para conjuntos de dados",
  },
};
