import { Button, Checkbox, Group, Modal, Progress, Stack, Text, Title } from "@mantine/core";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Change } from "../../../src/contract/changes/change.ts";
import { keyOf, useApi } from "../api/queries.ts";
import { useSubmit } from "../api/use-submit.ts";
import { type Far, keptIn, undoChanges } from "../changes/undo-calls.ts";
import { UNDO_REFUSALS, UNDO_WORDS } from "../changes/undo-words.ts";
import { useKeptText } from "../changes/use-kept-text.ts";
import { useReportUndo, useUndo } from "../changes/use-undo.ts";
import { Problem } from "../parts/problem.tsx";
import { failed } from "../parts/toast.ts";
import { useFormat } from "../words/format.ts";
import { useLocale, useWords } from "../words/use-words.ts";
import { HISTORY_WORDS } from "./history-words.ts";
import { KeptList } from "./kept-list.tsx";
import { useUndoSentences } from "./use-undo-sentences.ts";

/** Shows what an undo would do, does it, and reports it. A large one goes on when the dialog is closed. */
export function UndoDialog({ change, of, onClose }: { change: Change; of: string; onClose(): void }) {
  const words = useWords(HISTORY_WORDS);
  const undoWords = useWords(UNDO_WORDS);
  const locale = useLocale();
  const { number } = useFormat();
  const api = useApi();
  const queries = useQueryClient();
  const undo = useUndo();
  const report = useReportUndo();
  const keptText = useKeptText();
  const sentences = useUndoSentences();
  const [far, setFar] = useState<Far>();
  const [clears, setClears] = useState(false);
  const shown = useRef(true);
  useEffect(() => {
    shown.current = true;
    return () => {
      shown.current = false;
    };
  }, []);
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: keyOf(api.projectId, "undo", change.id, clears),
    queryFn: ({ signal }) =>
      api.call("POST", "/v1/changes/{id}/undo", {
        params: { id: change.id },
        body: { dry_run: true, clear_opt_out: clears },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  const run = useSubmit({
    mutationFn: () => undoChanges(api, [change.id], (so) => shown.current && setFar(so), clears),
    async onSuccess(undone) {
      if (shown.current) onClose();
      await queries.invalidateQueries({ queryKey: [api.projectId] });
      report(undone, undo);
    },
    onError: (failure) => failed(locale, failure, UNDO_REFUSALS[locale], () => run.mutate()),
  });
  const records = data?.records ?? [];
  const kept = keptIn(records);
  const whole = keptIn(records.filter(({ outcome }) => outcome === "kept"));
  const part = keptIn(records.filter(({ outcome }) => outcome !== "kept"));
  const stay = Math.max(whole.length, (data?.counts.kept ?? 0) - part.length);
  const does = data === undefined ? [] : sentences(change, data.counts);
  return (
    <Modal opened onClose={onClose} title={words.undoTitle} withCloseButton={false} size="lg">
      <Stack gap="sm">
        <Text fw={600}>
          <bdi>{of}</bdi>
        </Text>
        <div role="status">
          {isFetching && data === undefined && <Text c="dimmed">{words.looking}</Text>}
          {data !== undefined && (
            <>
              {!data.complete && <Text>{words.firstLooked(number(data.total))}</Text>}
              {does.map((sentence) => (
                <Text key={sentence}>{sentence}</Text>
              ))}
              {does.length === 0 && data.complete && <Text>{words.nothingBack}</Text>}
              {whole.length > 0 && <Text>{undoWords.stays(keptText(whole, stay), stay)}</Text>}
              {part.length > 0 && <Text>{undoWords.partly(keptText(part, part.length), part.length)}</Text>}
            </>
          )}
        </div>
        {kept.length > 0 && (
          <section aria-labelledby="kept-here">
            <Title order={3} fz="sm" id="kept-here" mb={4}>
              {words.keptHere}
            </Title>
            <KeptList records={kept} />
            {(data?.counts.kept ?? 0) > kept.length && (
              <Text size="sm" c="dimmed">
                {words.firstKept}
              </Text>
            )}
          </section>
        )}
        {(clears || (data?.opt_outs_kept ?? 0) > 0) && (
          <Checkbox
            checked={clears}
            disabled={run.isPending}
            onChange={({ currentTarget }) => setClears(currentTarget.checked)}
            label={undoWords.clearToo}
            description={undoWords.clearingRisk}
          />
        )}
        {error !== null && <Problem error={error} own={UNDO_REFUSALS[locale]} again={() => void refetch()} />}
        {far !== undefined && (
          <div>
            <Progress
              value={(100 * far.done) / Math.max(1, far.total)}
              aria-label={words.progress}
              transitionDuration={200}
            />
            <Text size="sm" c="dimmed" mt={4} role="status">
              {undoWords.far(number(far.done), number(far.total))}. {words.goesOn}
            </Text>
          </div>
        )}
        <Group mt="md" justify="flex-end">
          <Button variant="default" onClick={onClose} data-autofocus>
            {run.isPending ? words.close : words.cancel}
          </Button>
          <Button
            loading={run.isPending}
            disabled={(does.length === 0 && data?.complete !== false) || isFetching}
            onClick={() => run.mutate()}
          >
            {undoWords.undo}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
