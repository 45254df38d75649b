import { Checkbox, Select, SimpleGrid, Text } from "@mantine/core";
import { mayBeUnique } from "../../../../src/contract/lists/datasets.ts";
import { useWords } from "../../words/use-words.ts";
import { type DatasetDraft, matchesOf } from "./schema.ts";
import { MATCH_WORDS, SCHEMA_WORDS } from "./schema-words.ts";

interface FoundBy {
  draft: DatasetDraft;
  mayChange: boolean;
  onChange(draft: DatasetDraft): void;
}

const NONE = "";

/** The select of the key column. */
export function KeyColumn({ draft, mayChange, onChange }: FoundBy) {
  const words = useWords(SCHEMA_WORDS);
  const able = draft.columns.filter(({ goes, type }) => !goes && mayBeUnique(type));
  return (
    <Select
      label={words.keyColumn}
      description={words.keyColumnWhat}
      data={[
        { value: NONE, label: words.none },
        ...able.map(({ id, label }) => ({ value: id, label: label || id })),
      ]}
      value={draft.keyColumn ?? NONE}
      allowDeselect={false}
      readOnly={!mayChange}
      onChange={(id) => onChange({ ...draft, keyColumn: id === NONE ? null : id })}
    />
  );
}

/** The selects of the column that links rows to leads, and of the lead field it matches. */
export function LinkToLeads({ draft, mayChange, onChange }: FoundBy) {
  const words = useWords(SCHEMA_WORDS);
  const matches = useWords(MATCH_WORDS);
  const able = draft.columns.filter(({ goes, type }) => !goes && matchesOf(type).length > 0);
  const linked = able.find(({ id }) => id === draft.link?.column);
  const choose = (id: string | null) => {
    const column = able.find((each) => each.id === id);
    const match = column === undefined ? undefined : matchesOf(column.type)[0];
    onChange({
      ...draft,
      link: column === undefined || match === undefined ? null : { column: column.id, match, personal: true },
    });
  };
  const setLink = (change: Partial<NonNullable<DatasetDraft["link"]>>) =>
    draft.link !== null && onChange({ ...draft, link: { ...draft.link, ...change } });
  if (able.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {words.unlinkable}
      </Text>
    );
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select
        label={words.linkColumn}
        data={[
          { value: NONE, label: words.none },
          ...able.map(({ id, label }) => ({ value: id, label: label || id })),
        ]}
        value={linked?.id ?? NONE}
        allowDeselect={false}
        readOnly={!mayChange}
        onChange={choose}
      />
      {linked !== undefined && draft.link !== null && (
        <Select
          label={words.linkBy}
          data={matchesOf(linked.type).map((match) => ({ value: match, label: matches[match] }))}
          value={draft.link.match}
          allowDeselect={false}
          readOnly={!mayChange}
          onChange={(match) => match !== null && setLink({ match })}
        />
      )}
      {linked !== undefined && draft.link !== null && (
        <Checkbox
          label={words.personal}
          description={words.personalWhat}
          checked={draft.link.personal}
          disabled={!mayChange}
          onChange={(event) => setLink({ personal: event.currentTarget.checked })}
        />
      )}
    </SimpleGrid>
  );
}
