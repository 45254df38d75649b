import { Checkbox, Group, Paper, Text, Title, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { useRead } from "../../api/queries.ts";
import { useDone } from "../../changes/use-done.ts";
import { useProject } from "../../session/me.ts";
import { useFormat } from "../../words/format.ts";
import { useWords } from "../../words/use-words.ts";
import { dayIn } from "../../words/zone-time.ts";
import { useLeadHere } from "../context/lead-context.ts";
import { useAddEvent } from "../context/use-add-event.ts";
import facts from "../values/values.module.css";
import styles from "./activity.module.css";
import { ACTIVITY_WORDS } from "./activity-words.ts";
import { type Task, tasksIn } from "./task.ts";

/** The lead's open tasks, the most urgent first; completed ones are collapsed. */
export function Tasks() {
  const { lead } = useLeadHere();
  const words = useWords(ACTIVITY_WORDS);
  const [all, setAll] = useState(false);
  const { data } = useRead("events", "/v1/leads/{id}/events", {
    params: { id: lead.id },
    query: { types: ["task.created", "task.done", "task.reopened"], limit: 500 },
  });
  const tasks = tasksIn(data?.events ?? []);
  const open = tasks.filter(({ done }) => !done);
  const finished = tasks.filter(({ done }) => done);
  if (tasks.length === 0) return null;
  return (
    <Paper component="section" p="md" aria-label={words.tasks}>
      <Title order={2} fz="sm" mb="xs">
        {words.tasks} ({open.length})
      </Title>
      <ul className={facts.plain}>
        {[...open, ...(all ? finished : [])].map((task) => (
          <TaskLine key={task.id} task={task} />
        ))}
      </ul>
      {finished.length > 0 && (
        <UnstyledButton className={styles.small} onClick={() => setAll(!all)} aria-expanded={all}>
          {words.finished} ({finished.length})
        </UnstyledButton>
      )}
    </Paper>
  );
}

function TaskLine({ task }: { task: Task }) {
  const { lead, mayWrite } = useLeadHere();
  const words = useWords(ACTIVITY_WORDS);
  const record = useAddEvent(lead.id);
  const done = useDone();
  const { day } = useFormat();
  const { timezone } = useProject();
  const late = task.due !== undefined && !task.done && task.due < dayIn(timezone, Date.now());
  // two people who click at the same time send the same event, which is recorded once
  const step = {
    type: task.done ? "task.reopened" : "task.done",
    data: { subject: task.subject, task: task.id },
    external_id: `${task.id}:${task.steps}`,
  };
  // Use the promise: this line may have left the list when the answer comes, and then mutate's callbacks are
  // not called.
  const toggle = () =>
    void record.mutateAsync(step).then(
      (added) => done(task.done ? words.taskOpen : words.taskDone, added.change),
      () => undefined,
    );
  return (
    <li className={styles.task}>
      <Checkbox
        checked={task.done !== record.isPending}
        onChange={toggle}
        disabled={!mayWrite || record.isPending}
        label={
          <Text span size="sm" {...(task.done && { td: "line-through", c: "dimmed" })}>
            <bdi>{task.subject}</bdi>
          </Text>
        }
      />
      {task.due !== undefined && (
        <Group gap={4} wrap="nowrap" className={late ? styles.late : styles.due}>
          {day(task.due)}
          {late && ` · ${words.overdue}`}
        </Group>
      )}
    </li>
  );
}
