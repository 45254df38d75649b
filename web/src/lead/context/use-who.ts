import { useCallback } from "react";
import type { Event as LeadEvent } from "../../../../src/contract/timeline/event.ts";
import { useWords, type Words } from "../../words/use-words.ts";

const WORDS: Words<{ unknown: string; key(name: string): string }> = {
  en: { unknown: "Unknown", key: (name) => `API key “${name}”` },
  "pt-BR": { unknown: "Desconhecido", key: (name) => `Chave de API “${name}”` },
};

/** The names of the service's own sources. */
const SOURCES: Words<Readonly<Record<string, string>>> = {
  en: { panel: "panel", api: "API", mcp: "assistant", import: "import", cli: "command line" },
  "pt-BR": { panel: "painel", api: "API", mcp: "assistente", import: "importação", cli: "linha de comando" },
};

/** Returns a function that names an event's source; outside systems keep their own name. */
export function useSourceName(): (source: string | null) => string {
  const sources = useWords(SOURCES);
  return useCallback(
    (source) =>
      source === null ? "" : Object.hasOwn(sources, source) ? (sources[source] ?? source) : source,
    [sources],
  );
}

/** Returns a function that writes who did something, and through what: `Ada · panel`. */
export function useWho(): (event: Pick<LeadEvent, "actor" | "source">) => string {
  const words = useWords(WORDS);
  const sourceName = useSourceName();
  return useCallback(
    ({ actor, source }) => {
      const label = actor?.label ?? "";
      const name = actor?.type === "key" && label !== "" ? words.key(label) : label;
      return [name, sourceName(source)].filter((part) => part !== "").join(" · ") || words.unknown;
    },
    [words, sourceName],
  );
}
