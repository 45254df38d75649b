import { Checkbox, Group, Select, Stack } from "@mantine/core";
import type { ImportMapping } from "../../../../src/contract/imports/import-mapping.ts";
import { useWords } from "../../words/use-words.ts";
import { COLUMN_WORDS } from "./column-words.ts";

const MODES = ["upsert", "insert", "update"] as const;

/** Selects what happens to leads or rows that exist and to those that do not, and for leads whether values are kept. */
export function WriteMode({
  mapping,
  isLeads,
  onEdit,
}: {
  mapping: ImportMapping;
  isLeads: boolean;
  onEdit(edit: (mapping: ImportMapping) => ImportMapping): void;
}) {
  const words = useWords(COLUMN_WORDS);
  const names = isLeads ? words.leadModes : words.rowModes;
  const mode = mapping.mode ?? (isLeads ? "upsert" : null);
  return (
    <Stack gap="sm">
      <Group>
        <Select
          label={isLeads ? words.leadMode : words.mode}
          w="28rem"
          maw="100%"
          data={MODES.map((value) => ({ value, label: names[value] }))}
          value={mode}
          allowDeselect={false}
          onChange={(to) => to !== null && onEdit((now) => ({ ...now, mode: to }))}
        />
      </Group>
      {isLeads && mode !== "insert" && (
        <Checkbox
          label={words.fill}
          description={words.fillWhat}
          checked={mapping.fill === true}
          onChange={({ currentTarget: { checked } }) =>
            onEdit(({ fill: _, ...now }) => (checked ? { ...now, fill: true } : now))
          }
        />
      )}
    </Stack>
  );
}
