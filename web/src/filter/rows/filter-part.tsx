import { Select, Text } from "@mantine/core";
import { useViews } from "../../api/queries.ts";
import { useWords } from "../../words/use-words.ts";
import type { Part, Raw, Scope, ViewPart } from "../model/part.ts";
import { JsonField } from "../values/json-field.tsx";
import { PANEL_WORDS } from "../words/panel-words.ts";
import { ConditionRow } from "./condition-row.tsx";
import { DatasetRow } from "./dataset-row.tsx";
import { useEditing } from "./editing.ts";
import { EventRow } from "./event-row.tsx";
import { FilterGroup } from "./filter-group.tsx";

/** The editor for one part of a filter. */
export function FilterPart({ part, scope, depth }: { part: Part; scope: Scope; depth: number }) {
  switch (part.kind) {
    case "group":
      return <FilterGroup part={part} scope={scope} depth={depth} />;
    case "condition":
      return <ConditionRow part={part} scope={scope} />;
    case "event":
      return <EventRow part={part} depth={depth} />;
    case "dataset":
      return <DatasetRow part={part} depth={depth} />;
    case "view":
      return <ViewRow part={part} />;
    case "raw":
      return <RawRow part={part} />;
  }
}

function ViewRow({ part }: { part: ViewPart }) {
  const words = useWords(PANEL_WORDS);
  const { change } = useEditing();
  const views = useViews().data?.views ?? [];
  const known = part.view === "" || views.some(({ id }) => id === part.view);
  const data = [
    ...views.map(({ id, name }) => ({ value: id, label: name })),
    ...(known ? [] : [{ value: part.view, label: `${part.view} (${words.gone})` }]),
  ];
  return (
    <Select
      label={words.view}
      placeholder={words.chooseView}
      data={data}
      value={part.view || null}
      searchable
      allowDeselect={false}
      onChange={(view) =>
        change(part.id, (old) => (old.kind === "view" ? { ...old, view: view ?? "" } : old))
      }
    />
  );
}

function RawRow({ part }: { part: Raw }) {
  const words = useWords(PANEL_WORDS);
  const { change } = useEditing();
  return (
    <>
      <Text size="xs" c="dimmed" mb={4}>
        {words.rawWhat}
      </Text>
      <JsonField
        value={part.json}
        label={words.filter}
        onChange={(json) => change(part.id, (old) => (old.kind === "raw" ? { ...old, json } : old))}
      />
    </>
  );
}
