import type { Event as LeadEvent } from "../../../../src/contract/timeline/event.ts";

/**
 * A task for a lead. Its id is that of the event that created it; `steps` counts how often it was completed
 * or reopened.
 */
export interface Task {
  id: string;
  subject: string;
  /** A calendar day. */
  due: string | undefined;
  done: boolean;
  steps: number;
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** Returns the tasks from their events (newest first): open ones by due day, those without one last. */
export function tasksIn(events: readonly LeadEvent[]): Task[] {
  const changes = Map.groupBy(
    events.filter(({ type }) => type !== "task.created"),
    ({ data }) => String(data.task ?? ""),
  );
  const tasks = events
    .filter(({ type }) => type === "task.created")
    .map((event): Task => {
      const own = changes.get(event.id) ?? [];
      const { subject, due } = event.data;
      return {
        id: event.id,
        subject: typeof subject === "string" && subject !== "" ? subject : event.title,
        due: typeof due === "string" && isDay(due) ? due : undefined,
        done: own[0]?.type === "task.done",
        steps: own.length,
      };
    });
  return tasks.sort((one, other) => (one.due ?? "9").localeCompare(other.due ?? "9"));
}

const isDay = (text: string): boolean => DAY.test(text) && Number.isFinite(Date.parse(text));
