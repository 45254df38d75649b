import "@mantine/spotlight/styles.css";
import { useMantineColorScheme } from "@mantine/core";
import {
  createSpotlight,
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
} from "@mantine/spotlight";
import { useEffect, useMemo, useState } from "react";
import { useNavigate } from "react-router";
import type { LeadPart } from "../../../src/contract/leads/lead.ts";
import { addressIn, navigationFor, ownPlaces } from "../../../src/core/navigation.ts";
import { Icon } from "../parts/icon.tsx";
import { leadAddress } from "../records/lead.ts";
import { useMe, useProject } from "../session/me.ts";
import { useCommands } from "../shortcuts/commands.ts";
import { useFormat } from "../words/format.ts";
import { leadName } from "../words/lead-name.ts";
import { useLocale, useWords, type Words } from "../words/use-words.ts";
import { useFoundLeads } from "./use-found-leads.ts";

const WORDS: Words<
  Record<
    | "find"
    | "none"
    | "searching"
    | "failed"
    | "leads"
    | "similar"
    | "nameless"
    | "here"
    | "places"
    | "projects"
    | "look"
    | "light"
    | "dark"
    | "auto"
    | "help"
    | "you",
    string
  >
> = {
  en: {
    find: "Search leads, pages and commands",
    none: "No results. Try a different search.",
    searching: "Searching…",
    failed: "The leads could not be searched. Try again.",
    leads: "Leads",
    similar: "No lead matches. Similar leads",
    nameless: "No name",
    here: "On this page",
    places: "Go to",
    projects: "Projects",
    you: "Account",
    look: "Appearance",
    light: "Light appearance",
    dark: "Dark appearance",
    auto: "System appearance",
    help: "Keyboard shortcuts",
  },
  "pt-BR": {
    find: "Buscar leads, páginas e comandos",
    none: "Nenhum resultado. Tente outra busca.",
    searching: "Buscando…",
    failed: "Não foi possível buscar os leads. Tente de novo.",
    leads: "Leads",
    similar: "Nenhum lead corresponde. Leads parecidos",
    nameless: "Sem nome",
    here: "Nesta página",
    places: "Ir para",
    projects: "Projetos",
    you: "Conta",
    look: "Aparência",
    light: "Aparência clara",
    dark: "Aparência escura",
    auto: "Aparência do sistema",
    help: "Atalhos do teclado",
  },
};

const [store, spotlight] = createSpotlight();

/** The command palette: finds leads, pages and commands (Mod+K). Loaded on first use. */
export default function Palette({ onClose, onHelp }: { onClose(): void; onHelp(): void }) {
  const words = useWords(WORDS);
  const [typed, setTyped] = useState("");
  const { leads, areSimilar, isSearching, failed } = useFoundLeads(typed);
  const found = useLeadActions(leads, typed);
  const actions = useActions(onHelp);
  useEffect(() => spotlight.open(), []);
  // the first result can be opened with Enter, also if it arrived after the last key
  useEffect(() => {
    if (found.length > 0) selectFirst();
  }, [found]);
  const group = areSimilar ? words.similar : words.leads;
  const nothing = isSearching ? words.searching : failed ? words.failed : words.none;
  return (
    <Spotlight
      store={store}
      actions={found.length > 0 ? [...actions, { group, actions: found }] : actions}
      query={typed}
      onQueryChange={setTyped}
      onSpotlightClose={onClose}
      shortcut={null}
      highlightQuery
      scrollable
      maxHeight={420}
      nothingFound={<span role="status">{nothing}</span>}
      attributes={{ content: { "aria-label": words.find } }}
      searchProps={{ placeholder: words.find, "aria-label": words.find }}
    />
  );
}

/** The leads as actions that open them. */
function useLeadActions(leads: readonly LeadPart[], typed: string): SpotlightActionData[] {
  const words = useWords(WORDS);
  const go = useNavigate();
  const { id: projectId } = useProject();
  const { phone } = useFormat();
  return useMemo(
    () =>
      leads.map((lead): SpotlightActionData => {
        const label = leadName(lead) || words.nameless;
        const number = lead.phone_e164 ? phone(lead.phone_e164) : lead.phone;
        const about = [lead.company, lead.email, number].filter((each) => each && each !== label);
        return {
          id: lead.id,
          label,
          description: about.join(" · "),
          // the service found it, so that the palette does not filter it by its label
          keywords: [typed],
          leftSection: <Icon name="leads" />,
          onClick: () => void go(leadAddress(projectId, lead.id)),
        };
      }),
    [leads, typed, words, go, projectId, phone],
  );
}

/** Selects the first entry as the arrow keys do, unless one is selected. */
function selectFirst(): void {
  const list = document.getElementById(store.getState().listId);
  if (list === null || list.querySelector("[data-selected]") !== null) return;
  list.querySelector("[data-action]")?.setAttribute("data-selected", "true");
  store.updateState((state) => ({ ...state, selected: 0 }));
}

function useActions(onHelp: () => void): SpotlightActionGroupData[] {
  const words = useWords(WORDS);
  const locale = useLocale();
  const go = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const { person, projects } = useMe();
  const project = useProject();
  const commands = useCommands();
  const leave = (address: string) => () => location.assign(address);
  const groups: SpotlightActionGroupData[] = [
    {
      group: words.here,
      actions: commands.map(({ name, run }) => ({ id: `here ${name}`, label: name, onClick: run })),
    },
    {
      group: words.places,
      actions: navigationFor(project.role).flatMap(({ places }) =>
        places.map(({ path, icon, name, page }) => ({
          id: `place ${path}`,
          label: name[locale],
          leftSection: <Icon name={icon} />,
          onClick:
            page === true ? leave(addressIn(project.id, path)) : () => void go(addressIn(project.id, path)),
        })),
      ),
    },
    {
      group: words.projects,
      actions: projects
        .filter(({ id }) => id !== project.id)
        .map(({ id, name }) => ({ id: `project ${id}`, label: name, onClick: leave(addressIn(id, "")) })),
    },
    {
      group: words.you,
      actions: [
        ...ownPlaces(person).map(({ address, icon, name }) => ({
          id: `own ${address}`,
          label: name[locale],
          leftSection: <Icon name={icon} />,
          onClick: leave(address),
        })),
        { id: "help", label: words.help, leftSection: <Icon name="help" />, onClick: onHelp },
      ],
    },
    {
      group: words.look,
      actions: (["light", "dark", "auto"] as const).map((look) => ({
        id: `look ${look}`,
        label: words[look],
        onClick: () => setColorScheme(look),
      })),
    },
  ];
  return groups.filter(({ actions }) => actions.length > 0);
}
