import { Alert, Button, Paper, SimpleGrid, Stack, Text, TextInput, Title } from "@mantine/core";
import type { Dataset } from "../../../../src/contract/datasets/dataset.ts";
import { ApiError } from "../../api/api-error.ts";
import { useConfirm } from "../../parts/confirm.tsx";
import { sentenceOf } from "../../parts/problem.tsx";
import { done } from "../../parts/toast.ts";
import { useMay } from "../../session/me.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { REFUSALS } from "../model/dataset-faults.ts";
import { Unfit } from "./change-notice.tsx";
import { ColumnList } from "./column-list.tsx";
import { KeyColumn, LinkToLeads } from "./found-by.tsx";
import styles from "./schema.module.css";
import { isKey } from "./schema.ts";
import { SCHEMA_WORDS } from "./schema-words.ts";
import type { SchemaDraft } from "./use-schema-draft.ts";

/** The form of a dataset's columns, key column, link to leads and name. Saves everything at once. */
export function SchemaTab({ dataset, typed }: { dataset: Dataset; typed: SchemaDraft }) {
  const words = useWords(SCHEMA_WORDS);
  const locale = useLocale();
  const confirm = useConfirm();
  const mayChange = useMay("datasets:write");
  const { change, draft, changes, set: setDraft, joined, drop } = typed;
  const badKey = !isKey(draft.key) || draft.key.startsWith("ds_");
  const save = async () => {
    if (changes === undefined) return;
    const { patch, dropped } = changes;
    const what = (
      <>
        {words.dropWhat}
        <ul>
          {dropped.map(({ id, label }) => (
            <li key={id}>
              <bdi>{label}</bdi>
            </li>
          ))}
        </ul>
      </>
    );
    const sure =
      dropped.length === 0 ||
      (await confirm({ title: words.dropTitle, what, action: words.dropAction, danger: true }));
    if (!sure) return;
    change.mutate(
      { id: dataset.id, version: dataset.version, patch },
      {
        onSuccess(now) {
          drop();
          done(now.change?.state === "running" ? words.begun : words.saved);
        },
      },
    );
  };
  const { error } = change;
  // said by the notice of what a colleague changed, as soon as that is read
  const isStale = joined !== undefined && error instanceof ApiError && error.code === "stale";
  const unfit = error instanceof ApiError && error.code === "rows_do_not_fit";
  return (
    <Stack gap="lg" maw="56rem">
      {!mayChange && <Alert variant="light">{words.readOnly}</Alert>}
      <Paper component="section" aria-label={words.columns}>
        <div style={{ padding: "1rem 1rem 0.5rem" }}>
          <Title order={2}>{words.columns}</Title>
          <Text c="dimmed" size="sm">
            {words.columnsLead}
          </Text>
        </div>
        <ColumnList
          draft={draft}
          stored={dataset.columns}
          mayChange={mayChange}
          onChange={setDraft}
          draftName={`column/${dataset.id}`}
        />
      </Paper>
      <Paper p="md" component="section" aria-label={words.keyColumn}>
        <KeyColumn draft={draft} mayChange={mayChange} onChange={setDraft} />
      </Paper>
      <Paper p="md" component="section" aria-label={words.link}>
        <Title order={2}>{words.link}</Title>
        <Text c="dimmed" size="sm" mb="md">
          {words.linkWhat}
        </Text>
        <LinkToLeads draft={draft} mayChange={mayChange} onChange={setDraft} />
      </Paper>
      <Paper p="md" component="section" aria-label={words.about}>
        <Title order={2} mb="sm">
          {words.about}
        </Title>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput
            label={words.name}
            value={draft.name}
            maxLength={200}
            readOnly={!mayChange}
            onChange={({ currentTarget }) => setDraft({ ...draft, name: currentTarget.value })}
          />
          <TextInput
            label={words.key}
            value={draft.key}
            maxLength={60}
            readOnly={!mayChange}
            error={badKey ? words.badKey : undefined}
            spellCheck={false}
            onChange={({ currentTarget }) => setDraft({ ...draft, key: currentTarget.value })}
          />
        </SimpleGrid>
      </Paper>
      {joined !== undefined && (
        <Alert variant="light" role="alert" title={words.joined}>
          {joined.length === 0 ? words.joinedWhat : words.both}
          {joined.length > 0 && (
            <ul>
              {joined.map((each) => (
                <li key={each}>
                  <bdi>{each}</bdi>
                </li>
              ))}
            </ul>
          )}
        </Alert>
      )}
      {error !== null && !isStale && (
        <Alert color="red" variant="light" role="alert" title={unfit ? words.unfit : undefined}>
          {unfit ? words.unfitWhat : sentenceOf(locale, error, REFUSALS[locale])}
          {unfit && <Unfit dataset={dataset} details={error.details} />}
        </Alert>
      )}
      {typed.isUnsaved && mayChange && (
        <section className={styles.saveBar} aria-label={words.unsaved}>
          <strong>{words.unsaved}</strong>
          <Button
            variant="default"
            onClick={() => {
              change.reset();
              drop();
            }}
          >
            {words.discard}
          </Button>
          <Button
            loading={change.isPending}
            disabled={
              changes === undefined ||
              badKey ||
              draft.name.trim() === "" ||
              dataset.change?.state === "running"
            }
            onClick={() => void save()}
          >
            {words.save}
          </Button>
        </section>
      )}
    </Stack>
  );
}
