import "@mantine/spotlight/styles.css";
import { useMantineColorScheme } from "@mantine/core";
import { createSpotlight, Spotlight, type SpotlightActionGroupData } from "@mantine/spotlight";
import { useEffect } from "react";
import { useNavigate } from "react-router";
import { addressIn, navigationFor, OWN_PLACES } from "../../../src/core/navigation.ts";
import { Icon } from "../parts/icon.tsx";
import { useMe, useProject } from "../session/me.ts";
import { useCommands } from "../shortcuts/commands.ts";
import { useLocale, useWords, type Words } from "../words/use-words.ts";

const WORDS: Words<
  Record<
    "find" | "none" | "here" | "places" | "projects" | "look" | "light" | "dark" | "auto" | "help" | "you",
    string
  >
> = {
  en: {
    find: "Search pages and commands",
    none: "No results. Try a different search.",
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
    find: "Buscar páginas e comandos",
    none: "Nenhum resultado. Tente outra busca.",
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

/** The command palette: finds pages and commands by name (Mod+K). Loaded on first use. */
export default function Palette({ onClose, onHelp }: { onClose(): void; onHelp(): void }) {
  const words = useWords(WORDS);
  useEffect(() => spotlight.open(), []);
  return (
    <Spotlight
      store={store}
      actions={useActions(onHelp)}
      onSpotlightClose={onClose}
      shortcut={null}
      highlightQuery
      scrollable
      maxHeight={420}
      nothingFound={words.none}
      attributes={{ content: { "aria-label": words.find } }}
      searchProps={{ placeholder: words.find, "aria-label": words.find }}
    />
  );
}

function useActions(onHelp: () => void): SpotlightActionGroupData[] {
  const words = useWords(WORDS);
  const locale = useLocale();
  const go = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const { projects } = useMe();
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
        ...OWN_PLACES.map(({ address, icon, name }) => ({
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
