import { Button, Progress } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { Job } from "../../../../src/contract/jobs/jobs.ts";
import { isOngoing } from "../../../../src/contract/lists/states.ts";
import { keyOf, useApi } from "../../api/queries.ts";
import { useSubmit } from "../../api/use-submit.ts";
import { useDone } from "../../changes/use-done.ts";
import { failed } from "../../parts/toast.ts";
import styles from "../../table/table.module.css";
import { useFormat } from "../../words/format.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { BULK_SENTENCES, BULK_WORDS, outcomeOf } from "./bulk-words.ts";

/** The progress of a large change, with a button to stop it; disappears when it is finished. */
export function JobBar({ job, mayStop, onOver }: { job: Job; mayStop: boolean; onOver(): void }) {
  const words = useWords(BULK_WORDS);
  const say = useWords(BULK_SENTENCES);
  const locale = useLocale();
  const { number } = useFormat();
  const { projectId, call } = useApi();
  const queries = useQueryClient();
  const { data = job } = useQuery({
    queryKey: keyOf(projectId, "jobs", job.id),
    queryFn: ({ signal }) => call("GET", "/v1/jobs/{id}", { params: { id: job.id }, signal }),
    refetchInterval: ({ state }) => (isOngoing((state.data ?? job).state) ? 1_000 : false),
  });
  const stop = useSubmit({
    mutationFn: () => call("POST", "/v1/jobs/{id}/cancel", { params: { id: job.id } }),
    onError: (error) => failed(locale, error),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(projectId, "jobs", job.id) }),
  });
  const ended = useRef(onOver);
  ended.current = onOver;
  const { state, op, changed, change_id: change } = data;
  const done = useDone();
  const isOver = !isOngoing(data.state);
  useEffect(() => {
    if (!isOver) return;
    const count = number(changed);
    const what =
      state === "done" ? outcomeOf(say, op, count) : state === "cancelled" ? words.stopped : words.jobFailed;
    done(what, changed > 0 ? change : null, { stays: true });
    void queries.invalidateQueries({ queryKey: keyOf(projectId, "leads") });
    ended.current();
  }, [isOver, state, op, changed, change, number, say, words, queries, projectId, done]);
  return (
    <section className={styles.bulk} aria-label={words.progress}>
      <span role="status">{say.done(number(data.done), number(data.total))}</span>
      <Progress
        flex={1}
        value={(100 * data.done) / Math.max(1, data.total)}
        aria-label={words.progress}
        transitionDuration={200}
      />
      {mayStop && (
        <Button size="xs" variant="default" loading={stop.isPending} onClick={() => stop.mutate()}>
          {words.stop}
        </Button>
      )}
    </section>
  );
}
