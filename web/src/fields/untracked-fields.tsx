import { MultiSelect, Paper, Text, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { WrittenLeadField } from "../../../src/contract/lists/lead-fields.ts";
import { WRITABLE } from "../../../src/contract/lists/written-fields.ts";
import { keyOf, useApi, useFields, useRead } from "../api/queries.ts";
import { useDone } from "../changes/use-done.ts";
import { Problem } from "../parts/problem.tsx";
import { failed } from "../parts/toast.ts";
import { useFormat } from "../words/format.ts";
import { useLocale, useWords } from "../words/use-words.ts";
import { FIELD_WORDS } from "./field-words.ts";
import styles from "./fields.module.css";

const PATH = "/v1/quiet-fields";

const isWritten = (name: string): name is WrittenLeadField => WRITABLE.has(name);

/** Selects the standard fields whose changes are not shown on timelines. */
export function UntrackedFields({ mayChange }: { mayChange: boolean }) {
  const words = useWords(FIELD_WORDS);
  const { list } = useFormat();
  const fields = useFields();
  const untracked = useRead("quiet-fields", PATH);
  const save = useSetUntracked(words.untrackedSaved);
  const failure = fields.error ?? untracked.error;
  if (failure !== null)
    return (
      <Problem error={failure} again={() => void Promise.all([fields.refetch(), untracked.refetch()])} />
    );
  if (fields.data === undefined || untracked.data === undefined) return null;
  const choices = fields.data.fields.flatMap(({ name, label }) =>
    isWritten(name) ? [{ value: name, label }] : [],
  );
  const labelOf = (name: WrittenLeadField) => choices.find(({ value }) => value === name)?.label ?? name;
  const chosen = untracked.data.fields;
  return (
    <Paper className={styles.untracked} component="section" aria-labelledby="untracked-fields">
      <Title order={2} id="untracked-fields">
        {words.untrackedTitle}
      </Title>
      <Text size="sm" c="dimmed" mb="sm" maw="42rem">
        {words.untrackedLead}
      </Text>
      {mayChange ? (
        <MultiSelect
          aria-label={words.untrackedFields}
          placeholder={chosen.length === 0 ? words.untrackedHint : ""}
          data={choices}
          value={chosen}
          onChange={(next) => save.mutate(next)}
          searchable
          hidePickedOptions
          maxDropdownHeight={240}
        />
      ) : (
        <Text size="sm">{chosen.length === 0 ? words.untrackedNone : list(chosen.map(labelOf))}</Text>
      )}
    </Paper>
  );
}

/** Saves the selection optimistically, and undoes it if the service refuses it. */
function useSetUntracked(said: string) {
  const { projectId, write } = useApi();
  const queries = useQueryClient();
  const locale = useLocale();
  const done = useDone();
  const key = keyOf(projectId, "quiet-fields", PATH);
  return useMutation({
    mutationFn: (fields: WrittenLeadField[]) => write("PUT", PATH, { body: { fields } }),
    onMutate: (fields) => queries.setQueryData(key, { fields, next_cursor: null }),
    onSuccess: ({ change }) => done(said, change),
    onError(error) {
      failed(locale, error);
      void queries.invalidateQueries({ queryKey: key });
    },
  });
}
