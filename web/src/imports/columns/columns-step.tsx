import { Alert, Button, Checkbox, Group, Paper, Stack, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { Import } from "../../../../src/contract/imports/import.ts";
import { Problem } from "../../parts/problem.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { useFormat } from "../../words/format.ts";
import { useWords } from "../../words/use-words.ts";
import { ruleOf, saysNoOptOut, withRule } from "../record/import-record.ts";
import { IMPORT_WORDS } from "../record/import-words.ts";
import { isAboutFile, isExampleOf, isOpen } from "../record/questions.ts";
import { SkippedColumns } from "../record/skipped-columns.tsx";
import { act, useAct } from "../record/use-import.ts";
import { ColumnRow } from "./column-row.tsx";
import { COLUMN_WORDS } from "./column-words.ts";
import styles from "./columns.module.css";
import { NewField } from "./new-field.tsx";
import type { Style } from "./style-choice.tsx";
import { useFillable } from "./use-fillable.ts";
import { useMapping } from "./use-mapping.ts";
import { WriteMode } from "./write-mode.tsx";

const IDENTITIES = ["id", "external_id", "email", "emails", "phone", "phones"];

/** Answers what the columns leave open, and maps columns to fields. */
export function ColumnsStep({
  record,
  questions: shownQuestions,
  onNext,
}: {
  record: Import;
  questions: ReactNode;
  onNext(): void;
}) {
  const words = useWords(COLUMN_WORDS);
  const { left, leftInFile } = useWords(IMPORT_WORDS);
  const { number, list } = useFormat();
  const { fields, error, isPending, refetch } = useFillable(record);
  const { mapping, edit, isSaving, isRefused } = useMapping(record);
  const answer = useAct(record.id);
  const check = useAct(record.id);
  const [making, setMaking] = useState<string>();
  if (isPending) return <Waiting />;
  if (error !== null) return <Problem error={error} again={() => void refetch()} />;
  const { columns, questions } = record;
  const filledBy = new Map(
    columns.flatMap(({ name }) => {
      const field = ruleOf(mapping, name)?.field;
      return field === undefined ? [] : [[field, name] as const];
    }),
  );
  const filled = columns.filter(({ name }) => ruleOf(mapping, name) !== undefined).length;
  const isLeads = record.dataset === null;
  const { identify } = mapping;
  const noIdentity =
    isLeads &&
    filledBy.size > 0 &&
    identify === undefined &&
    !questions.some(({ kind }) => kind === "identity") &&
    !IDENTITIES.some((name) => filledBy.has(name));
  const open = questions.filter(isOpen);
  const openInFile = open.filter(isAboutFile).length;
  // A mapping that is sent settles which column fills a field, so that is chosen before anything else is edited.
  const isContested = open.some(({ kind }) => kind === "two_columns");
  const onStyle = (column: string, style: Style) => {
    const { dates, decimals = "" } = style;
    const [kind, choice] = dates === undefined ? ["decimals", decimals] : ["date_order", dates];
    const id = `${kind}:${column}`;
    if (questions.some((question) => question.id === id)) answer.mutate(act.answer({ [id]: choice }));
    else
      edit((now) => {
        const rule = ruleOf(now, column);
        return rule === undefined ? now : withRule(now, column, { ...rule, ...style });
      });
  };
  return (
    <Stack gap="md">
      <Text c="dimmed">
        {words.lead} {isLeads && words.leadLeads}
      </Text>
      {shownQuestions}
      {isContested && (
        <Text size="sm" c="dimmed">
          {words.answerFirst}
        </Text>
      )}
      <fieldset className={styles.form} disabled={isContested} aria-label={words.form}>
        <WriteMode mapping={mapping} isLeads={isLeads} onEdit={edit} />
        {noIdentity && (
          <Alert variant="light" color="yellow">
            {words.noIdentity}
          </Alert>
        )}
        {identify !== undefined && (
          <Text size="sm" c="dimmed">
            <bdi>{words.identify(list(identify.map((name) => `“${name}”`)))}</bdi>
          </Text>
        )}
        <Paper>
          <ul className={styles.list}>
            {columns.map((column) => (
              <ColumnRow
                key={column.name}
                column={column}
                record={record}
                mapping={mapping}
                fields={fields}
                filledBy={filledBy}
                open={open.find((question) => question.columns.includes(column.name))}
                isAsked={(value) =>
                  questions.some(
                    ({ kind, columns: about, examples: [example = ""] }) =>
                      kind === "option" && about.includes(column.name) && isExampleOf(example, value),
                  )
                }
                onRule={(rule) => edit((now) => withRule(now, column.name, rule))}
                onStyle={(style) => onStyle(column.name, style)}
                onNew={isLeads ? () => setMaking(column.name) : undefined}
              />
            ))}
          </ul>
        </Paper>
        {isLeads && columns.some((column) => saysNoOptOut(column, ruleOf(mapping, column.name))) && (
          <Checkbox
            label={words.clear}
            description={words.clearWhat}
            checked={mapping.clear_opt_out === true}
            onChange={({ currentTarget: { checked } }) =>
              edit(({ clear_opt_out: _, ...now }) => (checked ? { ...now, clear_opt_out: true } : now))
            }
          />
        )}
      </fieldset>
      <SkippedColumns record={record} />
      {making !== undefined && (
        <NewField
          column={columns.find(({ name }) => name === making)}
          taken={new Set(fields.keys())}
          onMade={(field) => edit((now) => withRule(now, making, { field }))}
          onClose={() => setMaking(undefined)}
        />
      )}
      <Group justify="space-between">
        <Text size="sm" c="dimmed" role="status">
          {isSaving || answer.isPending
            ? words.saving
            : openInFile > 0
              ? leftInFile(openInFile)
              : open.length > 0
                ? left(open.length)
                : words.countIn(number(filled), number(columns.length))}
        </Text>
        <Button
          loading={check.isPending}
          disabled={isSaving || answer.isPending || isRefused || filledBy.size === 0 || open.length > 0}
          onClick={() => check.mutate(act.check, { onSuccess: onNext })}
        >
          {words.next}
        </Button>
      </Group>
    </Stack>
  );
}
