import { Button, Group, MultiSelect, Select, TextInput } from "@mantine/core";
import { useMemo } from "react";
import { useRead } from "../../api/queries.ts";
import { eventTypeName } from "../../words/event-title.ts";
import { useLocale, useWords, type Words } from "../../words/use-words.ts";
import { useLeadHere } from "../context/lead-context.ts";
import { useSourceName } from "../context/use-who.ts";
import { ACTIVITY_WORDS } from "./activity-words.ts";

const ALL_OF: Words<(kind: string) => string> = {
  en: (kind) => `All “${kind}”`,
  "pt-BR": (kind) => `Tudo de “${kind}”`,
};

/** Which events of the timeline are shown. */
export interface Chosen {
  types: readonly string[];
  source: string;
  actor: string;
  since: string;
  until: string;
}

export const ALL_EVENTS: Chosen = { types: [], source: "", actor: "", since: "", until: "" };

/** Filters the timeline; the choices come from its newest 500 events. */
export function TimelineFilter({
  chosen,
  onChoose,
}: {
  chosen: Chosen;
  onChoose(change: Partial<Chosen>): void;
}) {
  const { lead } = useLeadHere();
  const words = useWords(ACTIVITY_WORDS);
  const allOf = useWords(ALL_OF);
  const locale = useLocale();
  const sourceName = useSourceName();
  const { data } = useRead("events", "/v1/leads/{id}/events", {
    params: { id: lead.id },
    query: { limit: 500 },
  });
  const choices = useMemo(() => {
    const events = data?.events ?? [];
    const types = [...new Set([...events.map(({ type }) => type), ...chosen.types])].sort();
    const kinds = [
      ...Map.groupBy(
        types.filter((type) => !type.endsWith(".*")),
        (type) => type.split(".")[0] ?? "",
      ),
    ]
      .filter(([, several]) => several.length > 1)
      .map(([kind]) => `${kind}.*`);
    const actors = new Map(
      events.flatMap(({ actor }) =>
        actor?.id == null ? [] : [[actor.id, actor.label ?? actor.id] as const],
      ),
    );
    if (chosen.actor !== "" && !actors.has(chosen.actor)) actors.set(chosen.actor, chosen.actor);
    const sources = new Set(events.flatMap(({ source }) => source ?? []));
    if (chosen.source !== "") sources.add(chosen.source);
    return { types: [...new Set([...kinds, ...types])], actors: [...actors], sources: [...sources].sort() };
  }, [data, chosen]);
  const typeName = (type: string) =>
    type.endsWith(".*") ? allOf(type.slice(0, -2)) : eventTypeName(locale, type);
  return (
    <Group gap="sm" align="flex-end" mb="md">
      <MultiSelect
        label={words.types}
        placeholder={chosen.types.length === 0 ? words.allTypes : ""}
        data={choices.types.map((type) => ({ value: type, label: typeName(type) }))}
        value={[...chosen.types]}
        onChange={(types) => onChoose({ types })}
        searchable
        clearable
        flex="2 1 14rem"
      />
      <Select
        label={words.through}
        placeholder={words.anything}
        data={choices.sources.map((source) => ({ value: source, label: sourceName(source) }))}
        value={chosen.source === "" ? null : chosen.source}
        onChange={(source) => onChoose({ source: source ?? "" })}
        clearable
        flex="1 1 9rem"
      />
      <Select
        label={words.by}
        placeholder={words.anybody}
        data={choices.actors.map(([value, label]) => ({ value, label }))}
        value={chosen.actor === "" ? null : chosen.actor}
        onChange={(actor) => onChoose({ actor: actor ?? "" })}
        clearable
        searchable
        flex="1 1 9rem"
      />
      {(["since", "until"] as const).map((edge) => (
        <TextInput
          key={edge}
          type="date"
          label={words[edge]}
          value={chosen[edge]}
          onChange={(event) => onChoose({ [edge]: event.currentTarget.value })}
        />
      ))}
      <Button variant="subtle" onClick={() => onChoose(ALL_EVENTS)}>
        {words.clear}
      </Button>
    </Group>
  );
}
