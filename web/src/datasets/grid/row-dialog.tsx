import { Alert, Button, Checkbox, Group, Modal, Stack, Text } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Link } from "react-router";
import type { Dataset } from "../../../../src/contract/datasets/dataset.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { IconTrash, IconUser } from "../../look/icons.ts";
import { sentenceOf } from "../../parts/problem.tsx";
import { useGuardedClose } from "../../parts/use-guarded-close.ts";
import { useProject } from "../../session/me.ts";
import { useFormat } from "../../words/format.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { isBlank, type Row, rowName } from "../model/dataset.ts";
import { faultText, REFUSALS } from "../model/dataset-faults.ts";
import { ROW_WORDS } from "../model/row-words.ts";
import { ColumnInput } from "../rows/column-input.tsx";
import { type InputValue, inputOf, readInput } from "../rows/input-value.ts";
import { rowDrafts } from "../rows/row-drafts.ts";
import { useSaveRow } from "../rows/use-save-row.ts";
import { RowDetails } from "./row-details.tsx";

/** Shows, edits or creates a whole row. Errors are shown at their fields. */
export function RowDialog(dialog: {
  dataset: Dataset;
  row: Row | undefined;
  mayWrite: boolean;
  leadAddress(row: Row): string;
  onDelete(row: Row): void;
  onClose(): void;
}) {
  const { dataset, row, mayWrite, onClose } = dialog;
  const words = useWords(ROW_WORDS);
  const { moment } = useFormat();
  const typed = useDraft<TypedRow>(rowDraft(dataset.id, row?._id), { inputs: {}, was: {}, version: 0 });
  const [, , { isUnsaved, drop }] = typed;
  const discard = () => {
    drop();
    onClose();
  };
  const leave = useGuardedClose(isUnsaved, discard);
  return (
    <Modal
      opened
      onClose={leave}
      size="lg"
      title={<bdi>{row === undefined ? words.newRow : rowName(dataset, row)}</bdi>}
    >
      {row !== undefined && (
        <Group justify="space-between" mb="md" gap="xs">
          <Text size="xs" c="dimmed">
            {words.added} {moment(String(row._created_at))} · {words.changed}{" "}
            {moment(String(row._updated_at))}
          </Text>
          <Group gap="xs">
            {row._lead_id !== null && (
              <Button
                component={Link}
                to={dialog.leadAddress(row)}
                size="compact-sm"
                variant="light"
                leftSection={<IconUser size={14} />}
              >
                {words.openLead}
              </Button>
            )}
            {mayWrite && (
              <Button
                size="compact-sm"
                variant="default"
                c="var(--warn)"
                leftSection={<IconTrash size={14} />}
                onClick={() => dialog.onDelete(row)}
              >
                {words.removeRow}
              </Button>
            )}
          </Group>
        </Group>
      )}
      {mayWrite ? (
        <RowForm key={row?._id} dataset={dataset} row={row} typed={typed} onClose={discard} />
      ) : (
        row !== undefined && <RowDetails dataset={dataset} row={row} />
      )}
    </Modal>
  );
}

/**
 * What is typed by column, the values that the person saw there, and the version of the row that they saw meanwhile; 0
 * before anything is typed.
 */
interface TypedRow {
  inputs: Readonly<Record<string, InputValue>>;
  was: Readonly<Record<string, unknown>>;
  version: number;
}

const NEW = "new";

/** The name of the draft of a row, or of a new one; without a row, what the drafts of a dataset's rows start with. */
const rowDraft = (dataset: string, row = NEW): string => `${rowDrafts(dataset)}${row}`;

function RowForm({
  dataset,
  row,
  typed: [{ inputs, was, version }, setTyped, { drop }],
  onClose,
}: {
  dataset: Dataset;
  row: Row | undefined;
  typed: ReturnType<typeof useDraft<TypedRow>>;
  onClose(): void;
}) {
  const words = useWords(ROW_WORDS);
  const locale = useLocale();
  const { timezone } = useProject();
  const how = { locale, timezone };
  const [unread, setUnread] = useState<Readonly<Record<string, string>>>({});
  const [again, setAgain] = useState(false);
  const save = useSaveRow(dataset);
  const inputFor = (key: string, column: Dataset["columns"][number]) =>
    inputs[key] ?? inputOf(column, row?.[key], timezone);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const values: Record<string, unknown> = {};
    const wrong: Record<string, string> = {};
    for (const column of dataset.columns) {
      const input = inputs[column.key];
      const before = row?.[column.key];
      if (input === undefined) {
        if (row === undefined && column.required)
          wrong[column.key] = faultText(locale, { code: "required", message: "" });
        continue;
      }
      const reading = readInput(column, input, before, how);
      if ("code" in reading) wrong[column.key] = faultText(locale, reading);
      else if (row !== undefined || !isBlank(reading.value)) values[column.key] = reading.value;
    }
    setUnread(wrong);
    if (Object.keys(wrong).length > 0) return;
    const fresh = () => {
      drop();
      document.querySelector<HTMLElement>("[role=dialog] [data-autofocus]")?.focus();
    };
    const seen = row !== undefined && version > 0 ? { ...row, _version: version } : row;
    save.mutate({ row: seen, values, was }, { onSuccess: again && row === undefined ? fresh : onClose });
  };
  const others = save.faults.filter(({ path }) => !dataset.columns.some(({ key }) => path === `$.${key}`));
  const told = (key: string) => {
    const fault = save.faults.find(({ path }) => path === `$.${key}`);
    return unread[key] ?? (fault === undefined ? undefined : faultText(locale, fault));
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        {dataset.columns.map((column, i) => (
          <ColumnInput
            key={column.key}
            tall
            label={<bdi>{column.label}</bdi>}
            required={column.required}
            column={column}
            value={inputFor(column.key, column)}
            error={told(column.key)}
            data-autofocus={i === 0 || undefined}
            onChange={(value) =>
              setTyped((now) => ({
                inputs: { ...now.inputs, [column.key]: value },
                was: { [column.key]: row?.[column.key] ?? null, ...now.was },
                version: now.version || (row?._version ?? 1),
              }))
            }
          />
        ))}
        {(others.length > 0 || (save.error !== null && save.faults.length === 0)) && (
          <Alert color="red" variant="light" role="alert">
            {others.length === 0
              ? sentenceOf(locale, save.error, { ...REFUSALS[locale], stale: words.stale })
              : others.map((fault) => `${words.whole} ${faultText(locale, fault)}`).join(" ")}
          </Alert>
        )}
      </Stack>
      <Group mt="xl" justify="flex-end">
        {row === undefined && (
          <Checkbox
            label={words.another}
            checked={again}
            onChange={({ currentTarget }) => setAgain(currentTarget.checked)}
            flex={1}
          />
        )}
        <Button variant="default" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button type="submit" loading={save.isPending}>
          {row === undefined ? words.add : words.save}
        </Button>
      </Group>
    </form>
  );
}
