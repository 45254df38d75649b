import { ActionIcon, Button, Group, Menu, Modal, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Link } from "react-router";
import type { ViewQuery } from "../../../../src/contract/leads/query.ts";
import type { View } from "../../../../src/contract/views.ts";
import { readDraft } from "../../drafts/draft-store.ts";
import { useDraft, useDraftPlace } from "../../drafts/use-draft.ts";
import { IconArrowBackUp, IconDeviceFloppy, IconDots, IconPencil, IconTrash } from "../../look/icons.ts";
import { useConfirm } from "../../parts/confirm.tsx";
import { useGuardedClose } from "../../parts/use-guarded-close.ts";
import { useCommand } from "../../shortcuts/commands.ts";
import { useWords } from "../../words/use-words.ts";
import { useChangeViews } from "./use-change-views.ts";
import styles from "./view-tabs.module.css";
import { VIEW_WORDS } from "./view-words.ts";

/** The tabs for all leads, the saved views and the deleted leads, with the actions for the current view and its unsaved changes. */
export function ViewTabs(tabs: {
  views: readonly View[];
  view: View | undefined;
  /** Whether the deleted leads are shown, of which there are no views. */
  deleted: boolean;
  isChanged: boolean;
  mayWrite: boolean;
  /** What a view would store now. */
  query: ViewQuery;
  onDiscard(): void;
  onSaved(viewId: string): void;
}) {
  const { views, view, deleted, query } = tabs;
  const isChanged = tabs.isChanged && !deleted;
  const mayWrite = tabs.mayWrite && !deleted;
  const words = useWords(VIEW_WORDS);
  const change = useChangeViews();
  const confirm = useConfirm();
  const place = useDraftPlace();
  const [naming, setNaming] = useState<"new" | "rename" | undefined>(() =>
    mayWrite && readDraft(place, viewDraft(undefined)) !== undefined ? "new" : undefined,
  );
  useCommand(words.save, mayWrite ? () => setNaming("new") : undefined);
  const remove = async () => {
    if (view === undefined) return;
    const question = { title: words.removeTitle, what: words.removeWhat, action: words.remove, danger: true };
    if (await confirm(question)) change.mutate({ remove: view }, { onSuccess: () => tabs.onSaved("") });
  };
  const name = (given: string, onNamed: () => void) => {
    const change_ =
      naming === "rename" && view !== undefined
        ? { rename: view, name: given }
        : { create: { name: given, query } };
    change.mutate(change_, {
      onSuccess({ view: made }) {
        onNamed();
        if (naming === "new" && made !== undefined) tabs.onSaved(made.id);
      },
    });
  };
  const tab = (to: string, text: string, isHere: boolean) => (
    <Link key={to} className={styles.tab} to={to} aria-current={isHere ? "page" : undefined}>
      <bdi>{text}</bdi>
    </Link>
  );
  return (
    <Group gap="xs" wrap="nowrap">
      <nav className={styles.tabs} aria-label={words.views}>
        {tab("?", words.all, view === undefined && !deleted)}
        {views.map(({ id, name }) => tab(`?view=${encodeURIComponent(id)}`, name, view?.id === id))}
        {tab("?deleted=true", words.deleted, deleted)}
      </nav>
      {isChanged && <span className={styles.changed}>{words.changed}</span>}
      {isChanged && mayWrite && view === undefined && (
        <Button size="compact-sm" variant="subtle" flex="none" onClick={() => setNaming("new")}>
          {words.save}
        </Button>
      )}
      {isChanged && mayWrite && view !== undefined && (
        <Button
          size="compact-sm"
          variant="subtle"
          flex="none"
          loading={change.isPending}
          onClick={() => change.mutate({ update: view, query }, { onSuccess: tabs.onDiscard })}
        >
          {words.update}
        </Button>
      )}
      {(isChanged || (mayWrite && view !== undefined)) && (
        <Menu position="bottom-end" shadow="md">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={words.more}>
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {isChanged && (
              <Menu.Item leftSection={<IconArrowBackUp size={16} />} onClick={tabs.onDiscard}>
                {words.discard}
              </Menu.Item>
            )}
            {mayWrite && (
              <Menu.Item leftSection={<IconDeviceFloppy size={16} />} onClick={() => setNaming("new")}>
                {words.save}
              </Menu.Item>
            )}
            {mayWrite && view !== undefined && (
              <>
                <Menu.Item leftSection={<IconPencil size={16} />} onClick={() => setNaming("rename")}>
                  {words.rename}
                </Menu.Item>
                <Menu.Item color="red" leftSection={<IconTrash size={16} />} onClick={() => void remove()}>
                  {words.remove}
                </Menu.Item>
              </>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      {naming !== undefined && (
        <NameDialog
          title={naming === "new" ? words.save : words.rename}
          what={naming === "new" ? words.saveWhat : undefined}
          draft={viewDraft(naming === "rename" ? view?.id : undefined)}
          name={naming === "rename" ? (view?.name ?? "") : ""}
          isSaving={change.isPending}
          onClose={() => setNaming(undefined)}
          onName={name}
        />
      )}
    </Group>
  );
}

const viewDraft = (view: string | undefined): string => `view/${view ?? "new"}`;

function NameDialog(dialog: {
  title: string;
  what: string | undefined;
  draft: string;
  name: string;
  isSaving: boolean;
  onClose(): void;
  onName(name: string, onNamed: () => void): void;
}) {
  const words = useWords(VIEW_WORDS);
  const [name, setName, { isUnsaved, drop }] = useDraft(dialog.draft, dialog.name);
  const close = () => {
    drop();
    dialog.onClose();
  };
  const leave = useGuardedClose(isUnsaved, close);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== "") dialog.onName(name.trim(), close);
  };
  return (
    <Modal opened onClose={leave} title={dialog.title} withCloseButton={false}>
      <form onSubmit={submit}>
        <TextInput
          label={words.name}
          value={name}
          maxLength={200}
          data-autofocus
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        {dialog.what !== undefined && (
          <Text size="sm" c="dimmed" mt="xs">
            {dialog.what}
          </Text>
        )}
        <Group mt="xl" justify="flex-end">
          <Button variant="default" onClick={close}>
            {words.cancel}
          </Button>
          <Button type="submit" loading={dialog.isSaving} disabled={name.trim() === ""}>
            {dialog.title}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
