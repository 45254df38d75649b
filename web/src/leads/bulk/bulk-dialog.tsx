import { Button, Group, Modal, Select, TagsInput, Text } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { Job } from "../../../../src/contract/jobs/jobs.ts";
import { ApiError } from "../../api/api-error.ts";
import { Problem } from "../../parts/problem.tsx";
import { CELL_FAULTS } from "../../words/cell-faults.ts";
import { useFormat } from "../../words/format.ts";
import { type Locale, useLocale, useWords } from "../../words/use-words.ts";
import { useKnown } from "../list/lead-list-context.ts";
import type { LeadsQuery } from "../list/use-leads-query.ts";
import type { Selection } from "../list/use-selection.ts";
import type { BulkAction } from "./bulk-calls.ts";
import { BULK_SENTENCES, BULK_WORDS } from "./bulk-words.ts";
import { FieldChange, useFieldChange } from "./field-change.tsx";
import { useBulk } from "./use-bulk.ts";

/** The changes that can be made to the selected leads. */
export type Doing = "status" | "owner" | "tag_add" | "tag_remove" | "field" | "delete" | "restore";

const NOBODY = "nobody";

/** Asks for the new value, shows how many leads would change, and changes them. */
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
  const locale = useLocale();
  const { number } = useFormat();
  const [one, setOne] = useState<string | null>(null);
  const [tags, setTags] = useState<string[]>([]);
  const field = useFieldChange();
  const action = doing === "field" ? field.action : actionOf(doing, one, tags);
  const { rehearsal, run } = useBulk(action, selection, query, onDone);
  const { data, error } = rehearsal;
  const count = number(data?.updated ?? 0);
  const isReady = data !== undefined && data.updated > 0 && !rehearsal.isFetching;
  const fault = doing === "field" ? (faultIn(error, locale) ?? data?.why) : undefined;
  const title = {
    status: words.setStatusTitle,
    owner: words.setOwnerTitle,
    tag_add: words.addTags,
    tag_remove: words.removeTags,
    field: words.editField,
    delete: data === undefined ? words.remove : say.deleteTitle(number(data.updated)),
    restore: data === undefined ? words.restore : say.restoreTitle(number(data.updated)),
  }[doing];
  const isWhole = doing === "delete" || doing === "restore";
  const [would, perform] =
    doing === "delete"
      ? [say.wouldDelete, say.remove]
      : doing === "restore"
        ? [say.wouldRestore, say.restore]
        : [say.wouldChange, say.change];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) run.mutate(data.matched);
  };
  return (
    <Modal opened onClose={onClose} title={title} withCloseButton={false}>
      <form onSubmit={submit} noValidate>
        {doing === "field" ? (
          <FieldChange change={field} fault={fault} />
        ) : (
          <Asked doing={doing} one={one} onOne={setOne} tags={tags} onTags={setTags} />
        )}
        <Text component="div" role="status" mt={isWhole ? 0 : "md"} mih="3rem">
          {rehearsal.isFetching && data === undefined && <Text c="dimmed">{words.rehearsing}</Text>}
          {data !== undefined && (
            <>
              <strong>{would(count)}</strong>{" "}
              {data.unchanged > 0 && `${say.already(number(data.unchanged))} `}
              {data.failed > 0 && say.failing(number(data.failed))}
              {data.updated > 0 && (
                <Text c="dimmed" size="sm" mt={4}>
                  {!data.rehearsed && `${words.tooMany} `}
                  {words.canUndo}
                </Text>
              )}
            </>
          )}
        </Text>
        {error !== null && (doing !== "field" || fault === undefined) && (
          <Problem error={error} again={() => void rehearsal.refetch()} />
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
            {perform(count)}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

/** The field for the new value; a deletion and a restoration have none. */
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
  if (doing === "delete" || doing === "restore" || doing === "field") return null;
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

/** Why the service refuses the value, if it does. */
const faultIn = (error: Error | null, locale: Locale): string | undefined =>
  error instanceof ApiError && [400, 422].includes(error.status)
    ? error.details.map(({ code, message }) => CELL_FAULTS[locale][code] ?? message).join(" ") || undefined
    : undefined;

function actionOf(doing: Doing, one: string | null, tags: string[]): BulkAction | undefined {
  if (doing === "delete" || doing === "restore") return { op: doing };
  if (doing === "tag_add" || doing === "tag_remove")
    return tags.length === 0 ? undefined : { op: doing, tags };
  if (one === null || doing === "field") return undefined;
  if (doing === "status") return { op: "set", set: { status: one } };
  return { op: "set", set: { owner_id: one === NOBODY ? null : one } };
}
