import { Alert, Button, Paper, SimpleGrid, Stack, Text, TextInput, Title } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import type { Dataset } from "../../../../src/contract/nouns/datasets/dataset.ts";
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
import { draftOf, isKey, patchOf } from "./schema.ts";
import { SCHEMA_WORDS } from "./schema-words.ts";
import { useChangeDataset } from "./use-change-dataset.ts";

/** The form of a dataset's columns, key column, link to leads and name. Saves everything at once. */
export function SchemaTab({ dataset, onUnsaved }: { dataset: Dataset; onUnsaved(is: boolean): void }) {
  const words = useWords(SCHEMA_WORDS);
  const locale = useLocale();
  const confirm = useConfirm();
  const mayChange = useMay("datasets:write");
  const { change } = useChangeDataset();
  const [draft, setDraft] = useState(() => draftOf(dataset));
  const stored = JSON.stringify(draftOf(dataset));
  const known = useRef(stored);
  const changes = patchOf(dataset, draft);
  const isUnsaved = changes !== undefined && mayChange;
  useEffect(() => onUnsaved(isUnsaved), [isUnsaved, onUnsaved]);
  // Shows changes by other users. Compares content, not versions: a refused change also raises the version.
  useEffect(() => {
    if (known.current === stored) return;
    known.current = stored;
    setDraft(draftOf(dataset));
  }, [dataset, stored]);

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
          setDraft(draftOf(now));
          done(now.change?.state === "running" ? words.begun : words.saved);
        },
      },
    );
  };
  const { error } = change;
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
        <ColumnList draft={draft} stored={dataset.columns} mayChange={mayChange} onChange={setDraft} />
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
      {error !== null && (
        <Alert color="red" variant="light" role="alert" title={unfit ? words.unfit : undefined}>
          {unfit ? words.unfitWhat : sentenceOf(locale, error, REFUSALS[locale])}
          {unfit && <Unfit dataset={dataset} details={error.details} />}
        </Alert>
      )}
      {isUnsaved && (
        <section className={styles.saveBar} aria-label={words.unsaved}>
          <strong>{words.unsaved}</strong>
          <Button
            variant="default"
            onClick={() => {
              change.reset();
              setDraft(draftOf(dataset));
            }}
          >
            {words.discard}
          </Button>
          <Button
            loading={change.isPending}
            disabled={badKey || draft.name.trim() === "" || dataset.change?.state === "running"}
            onClick={() => void save()}
          >
            {words.save}
          </Button>
        </section>
      )}
    </Stack>
  );
}
