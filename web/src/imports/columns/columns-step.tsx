import { Alert, Button, Checkbox, Group, Paper, Select, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Import } from "../../../../src/contract/imports/import.ts";
import { Problem } from "../../parts/problem.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { useFormat } from "../../words/format.ts";
import { useWords } from "../../words/use-words.ts";
import { ruleOf, saysNoOptOut, withRule } from "../record/import-record.ts";
import { SkippedColumns } from "../record/skipped-columns.tsx";
import { act, useAct } from "../record/use-import.ts";
import { ColumnRow } from "./column-row.tsx";
import { COLUMN_WORDS } from "./column-words.ts";
import styles from "./columns.module.css";
import { NewField } from "./new-field.tsx";
import { useFillable } from "./use-fillable.ts";
import { useMapping } from "./use-mapping.ts";

const IDENTITIES = ["id", "external_id", "email", "phone"];

/** Maps columns to fields. */
export function ColumnsStep({ record, onNext }: { record: Import; onNext(): void }) {
  const words = useWords(COLUMN_WORDS);
  const { number } = useFormat();
  const { fields, error, isPending, refetch } = useFillable(record);
  const { mapping, edit, isSaving, isRefused } = useMapping(record);
  const check = useAct(record.id);
  const [making, setMaking] = useState<string>();
  if (isPending) return <Waiting />;
  if (error !== null) return <Problem error={error} again={() => void refetch()} />;
  const filledBy = new Map(
    record.columns.flatMap(({ name }) => {
      const field = ruleOf(mapping, name)?.field;
      return field === undefined ? [] : [[field, name] as const];
    }),
  );
  const filled = record.columns.filter(({ name }) => ruleOf(mapping, name) !== undefined).length;
  const isLeads = record.dataset === null;
  const noIdentity = isLeads && filledBy.size > 0 && !IDENTITIES.some((name) => filledBy.has(name));
  const asked = new Set(record.questions.map(({ path }) => path));
  return (
    <Stack gap="md">
      <Text c="dimmed">
        {words.lead} {isLeads && words.leadLeads}
      </Text>
      {!isLeads && (
        <Select
          label={words.mode}
          maw="28rem"
          data={(["upsert", "insert", "update"] as const).map((value) => ({ value, label: words[value] }))}
          value={mapping.mode ?? null}
          allowDeselect={false}
          onChange={(mode) => mode !== null && edit((now) => ({ ...now, mode }))}
        />
      )}
      {noIdentity && (
        <Alert variant="light" color="yellow">
          {words.noIdentity}
        </Alert>
      )}
      <Paper>
        <ul className={styles.list}>
          {record.columns.map((column) => (
            <ColumnRow
              key={column.name}
              column={column}
              record={record}
              mapping={mapping}
              fields={fields}
              filledBy={filledBy}
              asked={asked.has(`$.columns.${column.name}`)}
              onRule={(rule) => edit((now) => withRule(now, column.name, rule))}
              onNew={isLeads ? () => setMaking(column.name) : undefined}
            />
          ))}
        </ul>
      </Paper>
      {isLeads && record.columns.some((column) => saysNoOptOut(column, ruleOf(mapping, column.name))) && (
        <Checkbox
          label={words.clear}
          description={words.clearWhat}
          checked={mapping.clear_opt_out === true}
          onChange={({ currentTarget: { checked } }) =>
            edit(({ clear_opt_out: _, ...now }) => (checked ? { ...now, clear_opt_out: true } : now))
          }
        />
      )}
      <SkippedColumns record={record} />
      {making !== undefined && (
        <NewField
          column={record.columns.find(({ name }) => name === making)}
          taken={new Set(fields.keys())}
          onMade={(field) => edit((now) => withRule(now, making, { field }))}
          onClose={() => setMaking(undefined)}
        />
      )}
      <Group justify="space-between">
        <Text size="sm" c="dimmed" role="status">
          {isSaving
            ? words.saving
            : record.questions.length > 0
              ? words.questions
              : words.countIn(number(filled), number(record.columns.length))}
        </Text>
        <Button
          loading={check.isPending}
          disabled={isSaving || isRefused || filledBy.size === 0 || record.questions.length > 0}
          onClick={() => check.mutate(act.check, { onSuccess: onNext })}
        >
          {words.next}
        </Button>
      </Group>
    </Stack>
  );
}
