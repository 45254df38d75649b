import { Alert, Button, Group, Modal, Paper, SimpleGrid, Stack, Text, TextInput, Title } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useNavigate } from "react-router";
import { addressIn } from "../../../../src/core/navigation.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { sentenceOf } from "../../parts/problem.tsx";
import { done } from "../../parts/toast.ts";
import { useGuardedClose } from "../../parts/use-guarded-close.ts";
import { SURE } from "../../parts/use-leave-guard.ts";
import { useProject } from "../../session/me.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { REFUSALS } from "../model/dataset-faults.ts";
import { ColumnList } from "../schema/column-list.tsx";
import { KeyColumn, LinkToLeads } from "../schema/found-by.tsx";
import { columnKeyFrom, createOf, type DatasetDraft, isKey, newColumn } from "../schema/schema.ts";
import { SCHEMA_WORDS } from "../schema/schema-words.ts";
import { useChangeDataset } from "../schema/use-change-dataset.ts";
import { DATASET_LIST_WORDS } from "./dataset-list-words.ts";
import { NEW_DATASET } from "./new-dataset-draft.ts";

const NONE: readonly never[] = [];

/** Creates a dataset with its name and columns; both can be changed later. */
export function NewDataset({ onClose }: { onClose(): void }) {
  const words = useWords(DATASET_LIST_WORDS);
  const schema = useWords(SCHEMA_WORDS);
  const locale = useLocale();
  const go = useNavigate();
  const { id: project } = useProject();
  const { create } = useChangeDataset();
  const [{ ownKey, draft }, setTyped, { isUnsaved, drop }] = useDraft(NEW_DATASET, {
    ownKey: false,
    draft: useState<DatasetDraft>(() => ({
      name: "",
      key: "",
      columns: [
        newColumn({ key: columnKeyFrom(words.firstColumn), label: words.firstColumn, required: true }),
      ],
      keyColumn: null,
      link: null,
    }))[0],
  });
  const setDraft = (to: DatasetDraft) => setTyped((now) => ({ ...now, draft: to }));
  const close = () => {
    drop();
    onClose();
  };
  const leave = useGuardedClose(isUnsaved, close);
  const badKey = draft.key !== "" && (!isKey(draft.key) || draft.key.startsWith("ds_"));
  const isWhole = draft.name.trim() !== "" && draft.key !== "" && !badKey;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isWhole) return;
    create.mutate(createOf(draft), {
      onSuccess({ id }) {
        drop();
        done(words.created);
        void go(addressIn(project, `datasets/${id}`), { state: SURE });
      },
    });
  };
  return (
    <Modal opened onClose={leave} title={words.create} size="xl">
      <Stack gap="md">
        <form id="new-dataset" onSubmit={submit} noValidate>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              label={words.name}
              description={words.nameHint}
              value={draft.name}
              maxLength={200}
              data-autofocus
              onChange={({ currentTarget: { value: name } }) =>
                setDraft({
                  ...draft,
                  name,
                  ...(!ownKey && { key: name.trim() === "" ? "" : columnKeyFrom(name) }),
                })
              }
            />
            <TextInput
              label={words.key}
              description={words.keyHint}
              value={draft.key}
              maxLength={60}
              error={badKey ? schema.badKey : undefined}
              spellCheck={false}
              onChange={({ currentTarget }) => {
                setTyped({ ownKey: true, draft: { ...draft, key: currentTarget.value } });
              }}
            />
          </SimpleGrid>
        </form>
        <Paper component="section" aria-label={words.columns}>
          <Title order={3} px="md" pt="sm">
            {words.columns}
          </Title>
          <ColumnList
            draft={draft}
            stored={NONE}
            mayChange
            draftName={`${NEW_DATASET}/column`}
            onChange={setDraft}
          />
        </Paper>
        <KeyColumn draft={draft} mayChange onChange={setDraft} />
        <div>
          <Title order={3}>{schema.link}</Title>
          <Text c="dimmed" size="sm" mb="xs">
            {schema.linkWhat}
          </Text>
          <LinkToLeads draft={draft} mayChange onChange={setDraft} />
        </div>
        {create.error !== null && (
          <Alert color="red" variant="light" role="alert">
            {sentenceOf(locale, create.error, REFUSALS[locale])}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {words.cancel}
          </Button>
          <Button type="submit" form="new-dataset" loading={create.isPending} disabled={!isWhole}>
            {words.make}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
