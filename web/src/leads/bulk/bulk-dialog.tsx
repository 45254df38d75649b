import { Button, Group, Modal, Select, TagsInput, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Job } from "../../../../src/contract/nouns/job.ts";
import { keyOf, useApi } from "../../api/queries.ts";
import { Problem } from "../../parts/problem.tsx";
import { done, failed } from "../../parts/toast.ts";
import { sayWithUndo } from "../../parts/undo-toast.tsx";
import { useFormat } from "../../words/format.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { useKnown } from "../list/lead-list-context.ts";
import { REFUSALS } from "../list/lead-list-words.ts";
import type { LeadsQuery } from "../list/use-leads-query.ts";
import type { Selection } from "../list/use-selection.ts";
import { type BulkAction, rehearseBulk, runBulk, undoBulk } from "./bulk-calls.ts";
import { BULK_SENTENCES, BULK_WORDS } from "./bulk-words.ts";

/** The changes that can be made to the selected leads. */
export type Doing = "status" | "owner" | "tag_add" | "tag_remove" | "delete";

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
  const api = useApi();
  const queries = useQueryClient();
  const { statuses, people } = useKnown();
  const [one, setOne] = useState<string | null>(null);
  const [tags, setTags] = useState<string[]>([]);
  const action = actionOf(doing, one, tags);
  const rehearsal = useQuery({
    queryKey: keyOf(api.projectId, "rehearsal", action, query, selection.all || [...selection.leads.keys()]),
    queryFn: ({ signal }) =>
      action === undefined ? undefined : rehearseBulk(api, action, selection, query, signal),
    enabled: action !== undefined,
    gcTime: 0,
    staleTime: 0,
  });
  const { data } = rehearsal;
  const refresh = () => queries.invalidateQueries({ queryKey: keyOf(api.projectId, "leads") });
  const back = useMutation({
    mutationFn: (undo: Parameters<typeof undoBulk>[1]) => undoBulk(api, undo),
    onSuccess: () => {
      done(words.undone);
      void refresh();
    },
    onError: (error) => failed(locale, error, REFUSALS[locale]),
  });
  const run = useMutation({
    mutationFn: (expected: number) => {
      if (action === undefined) throw new Error("no action is selected");
      return runBulk(api, action, selection, query, expected);
    },
    onSuccess(outcome) {
      if ("job" in outcome) return onDone(outcome.job);
      const count = number(outcome.counts.updated);
      const said = doing === "delete" ? say.deleted(count) : say.changed(count);
      const { undo } = outcome;
      if (undo === undefined) done(said);
      else sayWithUndo(said, words.undo, () => back.mutate(undo));
      void refresh();
      onDone();
    },
    onError(error) {
      failed(locale, error, REFUSALS[locale]);
      void rehearsal.refetch();
    },
  });
  const count = number(data?.updated ?? 0);
  const title = {
    status: words.setStatusTitle,
    owner: words.setOwnerTitle,
    tag_add: words.addTags,
    tag_remove: words.removeTags,
    delete: data === undefined ? words.remove : say.deleteTitle(number(data.updated)),
  }[doing];
  const owners = [
    { value: NOBODY, label: words.nobody },
    ...[...people].map(([value, label]) => ({ value, label })),
  ];
  return (
    <Modal opened onClose={onClose} title={title} withCloseButton={false}>
      {doing === "status" && (
        <Select
          label={words.newStatus}
          data={[...statuses]}
          value={one}
          onChange={setOne}
          allowDeselect={false}
          data-autofocus
        />
      )}
      {doing === "owner" && (
        <Select
          label={words.newOwner}
          data={owners}
          value={one}
          onChange={setOne}
          allowDeselect={false}
          data-autofocus
        />
      )}
      {(doing === "tag_add" || doing === "tag_remove") && (
        <TagsInput label={words.tags} value={tags} onChange={setTags} data-autofocus acceptValueOnBlur />
      )}
      <Text component="div" role="status" mt={doing === "delete" ? 0 : "md"} mih="3rem">
        {rehearsal.isFetching && data === undefined && <Text c="dimmed">{words.rehearsing}</Text>}
        {data !== undefined && (
          <>
            <strong>{doing === "delete" ? say.wouldDelete(count) : say.wouldChange(count)}</strong>{" "}
            {data.unchanged > 0 && `${say.already(number(data.unchanged))} `}
            {data.failed > 0 && say.failing(number(data.failed))}
            <Text c="dimmed" size="sm" mt={4}>
              {!data.rehearsed ? words.tooMany : doing === "delete" ? words.canUndo : null}
              {!data.rehearsed && doing === "delete" && ` ${words.cannotUndo}`}
            </Text>
          </>
        )}
      </Text>
      {rehearsal.error !== null && <Problem error={rehearsal.error} again={() => void rehearsal.refetch()} />}
      <Group mt="xl" justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {words.cancel}
        </Button>
        <Button
          {...(doing === "delete" && { color: "red.8" })}
          loading={run.isPending}
          disabled={data === undefined || data.updated === 0 || rehearsal.isFetching}
          onClick={() => data !== undefined && run.mutate(data.matched)}
        >
          {doing === "delete" ? say.remove(count) : say.change(count)}
        </Button>
      </Group>
    </Modal>
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
