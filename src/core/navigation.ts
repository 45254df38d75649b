import type { IconName } from "./icons.ts";
import type { Words } from "./locale.ts";
import { SCREENS } from "./panel.ts";
import { manages, type Role } from "./permission.ts";

/** An entry of a project's navigation: a screen of the panel or a page. */
interface Place {
  /** The path under `/projects/{project}`; empty for the project itself, which redirects to HOME. */
  path: string;
  icon: IconName;
  name: Words<string>;
  /** Whether it is a page rendered by the server, which the panel opens with a full page load. */
  page?: true;
  /** The roles that see it; all roles by default. */
  for?: "managers" | "owners";
}

/** The path of a project's start page. */
export const HOME = "dashboard";

interface Group {
  name?: Words<string>;
  places: readonly Place[];
}

const both = (en: string, pt: string): Words<string> => ({ en, "pt-BR": pt });

const GROUPS: readonly Group[] = [
  {
    places: [
      { path: HOME, icon: "dashboard", name: both("Dashboard", "Painel") },
      { path: "leads", icon: "leads", name: both("Leads", "Leads") },
      { path: "board", icon: "board", name: both("Board", "Quadro") },
      { path: "duplicates", icon: "duplicates", name: both("Duplicates", "Duplicados") },
      { path: "history", icon: "history", name: both("History", "Histórico") },
    ],
  },
  {
    name: both("Data", "Dados"),
    places: [
      { path: "imports", icon: "imports", name: both("Imports", "Importações") },
      { path: "exports", icon: "exports", name: both("Exports", "Exportações") },
      { path: "datasets", icon: "datasets", name: both("Datasets", "Conjuntos de dados") },
    ],
  },
  {
    name: both("Settings", "Configurações"),
    places: [
      { path: "settings/overview", icon: "overview", name: both("Overview", "Visão geral"), page: true },
      { path: "settings/fields", icon: "fields", name: both("Fields", "Campos") },
      { path: "settings/statuses", icon: "statuses", name: both("Statuses", "Status") },
      {
        path: "settings/api-keys",
        icon: "keys",
        name: both("API keys", "Chaves de API"),
        page: true,
        for: "managers",
      },
      {
        path: "settings/applications",
        icon: "apps",
        name: both("Applications", "Aplicativos"),
        page: true,
        for: "managers",
      },
      {
        path: "settings/members",
        icon: "members",
        name: both("Members", "Membros"),
        page: true,
        for: "managers",
      },
      { path: "settings/usage", icon: "usage", name: both("Limits and usage", "Limites e uso") },
      { path: "settings/log", icon: "log", name: both("Log", "Registro"), page: true, for: "owners" },
      { path: "settings", icon: "settings", name: both("Project", "Projeto"), page: true, for: "managers" },
    ],
  },
];

/** Returns a project's navigation for a role, in groups, with only the entries that exist. */
export function navigationFor(role: Role): Group[] {
  const screens: readonly string[] = SCREENS;
  const seen = (place: Place) =>
    (place.page === true || screens.includes(place.path)) &&
    (place.for === undefined || (place.for === "owners" ? role === "owner" : manages(role)));
  return GROUPS.map((group) => ({ ...group, places: group.places.filter(seen) })).filter(
    ({ places }) => places.length > 0,
  );
}

/** Returns the URL path of an entry in a project. */
export const addressIn = (projectId: string, path: string): string =>
  path === "" ? `/projects/${projectId}` : `/projects/${projectId}/${path}`;

/** The address of the page that shows the state of backups. */
export const BACKUPS = "/backups";

interface OwnPlace {
  address: string;
  icon: IconName;
  name: Words<string>;
}

const OWN_PLACES: readonly OwnPlace[] = [
  { address: "/", icon: "projects", name: both("Your projects", "Seus projetos") },
  { address: "/account", icon: "account", name: both("Your account", "Sua conta") },
  { address: "/connected-apps", icon: "apps", name: both("Connected apps", "Aplicativos conectados") },
  { address: BACKUPS, icon: "backups", name: both("Backups", "Backups") },
];

/** Returns the entries of a person's own menu, independent of projects. */
export const ownPlaces = ({ ownsInstance }: { ownsInstance: boolean }): readonly OwnPlace[] =>
  OWN_PLACES.filter(({ address }) => ownsInstance || address !== BACKUPS);
