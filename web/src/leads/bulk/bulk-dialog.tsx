import { Button, Group, Modal, Select, TagsInput, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { Job } from "../../../../src/contract/nouns/job.ts";
import { Problem } from "../../parts/problem.tsx";
import { useFormat } from "../../words/format.ts";
import { useWords } from "../../words/use-words.ts";
import { useKnown } from "../list/lead-list-context.ts";
import type { LeadsQuery } from "../list/use-leads-query.ts";
import type { Selection } from "../list/use-selection.ts";
import { BULK_SENTENCES, BULK_WORDS } from "./bulk-words.ts";
import type { BulkAction } from "./change-each.ts";
import { isTyped } from "./typed-count.ts";
import { useBulk } from "./use-bulk.ts";

/** The changes that can be made to the selected leads. */
export type Doing = "status" | "owner" | "tag_add" | "tag_remove" | "delete";

const NOBODY = "nobody";

/**
 * Asks for the new value, shows how many leads would change, and changes them. What cannot be undone says so, and the
 * person types the number.
 */
export function BulkDialog(dialog: {
  doing: Doing;
  selection: Selection;
  query: LeadsQuery;
  onClose(): void;
  onDone(job?: Job): void;
}) {
  const { doing, selection, query, onClose, onDone } = dialog;
  const words = useWords(BULK_WORDS);
  const say = useWords(BULK_SENTENCES);
  const { number } = useFormat();
  const [one, setOne] = useState<string | null>(null);
  const [tags, setTags] = useState<string[]>([]);
  const [typed, setTyped] = useState("");
  const { rehearsal, run } = useBulk(actionOf(doing, one, tags), selection, query, onDone);
  const { data } = rehearsal;
  const count = number(data?.updated ?? 0);
  const isAsked = data !== undefined && !data.undoable && data.updated > 0;
  const isReady =
    data !== undefined &&
    data.updated > 0 &&
    !rehearsal.isFetching &&
    (!isAsked || isTyped(typed, data.updated));
  const title = {
    status: words.setStatusTitle,
    owner: words.setOwnerTitle,
    tag_add: words.addTags,
    tag_remove: words.removeTags,
    delete: data === undefined ? words.remove : say.deleteTitle(number(data.updated)),
  }[doing];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) run.mutate(data.matched);
  };
  return (
    <Modal opened onClose={onClose} title={title} withCloseButton={false}>
      <form onSubmit={submit} noValidate>
        <Asked doing={doing} one={one} onOne={setOne} tags={tags} onTags={setTags} />
        <Text component="div" role="status" mt={doing === "delete" ? 0 : "md"} mih="3rem">
          {rehearsal.isFetching && data === undefined && <Text c="dimmed">{words.rehearsing}</Text>}
          {data !== undefined && (
            <>
              <strong>{doing === "delete" ? say.wouldDelete(count) : say.wouldChange(count)}</strong>{" "}
              {data.unchanged > 0 && `${say.already(number(data.unchanged))} `}
              {data.failed > 0 && say.failing(number(data.failed))}
              {data.updated > 0 && (
                <Text c="dimmed" size="sm" mt={4}>
                  {!data.rehearsed && `${words.tooMany} `}
                  {data.undoable && words.canUndo}
                </Text>
              )}
            </>
          )}
        </Text>
        {isAsked && (
          <TextInput
            mt="xs"
            label={say.typeCount(count)}
            description={`${words.noUndo} ${doing === "delete" ? words.restoreOne : ""}`}
            inputMode="numeric"
            autoComplete="off"
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            data-autofocus={doing === "delete" || undefined}
          />
        )}
        {rehearsal.error !== null && (
          <Problem error={rehearsal.error} again={() => void rehearsal.refetch()} />
        )}
        <Group mt="xl" justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {words.cancel}
          </Button>
          <Button
            type="submit"
            {...(doing === "delete" && { color: "red.8" })}
            loading={run.isPending}
            disabled={!isReady}
          >
            {doing === "delete" ? say.remove(count) : say.change(count)}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

/** The field for the new value; a deletion has none. */
function Asked(field: {
  doing: Doing;
  one: string | null;
  onOne(one: string | null): void;
  tags: string[];
  onTags(tags: string[]): void;
}) {
  const { doing } = field;
  const words = useWords(BULK_WORDS);
  const { statuses, people } = useKnown();
  if (doing === "delete") return null;
  if (doing === "tag_add" || doing === "tag_remove")
    return (
      <TagsInput
        label={words.tags}
        value={field.tags}
        onChange={field.onTags}
        data-autofocus
        acceptValueOnBlur
      />
    );
  const owners = [
    { value: NOBODY, label: words.nobody },
    ...[...people].map(([value, label]) => ({ value, label })),
  ];
  return (
    <Select
      label={doing === "status" ? words.newStatus : words.newOwner}
      data={doing === "status" ? [...statuses] : owners}
      value={field.one}
      onChange={field.onOne}
      allowDeselect={false}
      data-autofocus
    />
  );
}

function actionOf(doing: Doing, one: string | null, tags: string[]): BulkAction | undefined {
  if (doing === "delete") return { op: "delete" };
  if (doing === "tag_add" || doing === "tag_remove")
    return tags.length === 0 ? undefined : { op: doing, tags };
  if (one === null) return undefined;
  if (doing === "status") return { op: "set", set: { status: one } };
  return { op: "set", set: { owner_id: one === NOBODY ? null : one } };
}
