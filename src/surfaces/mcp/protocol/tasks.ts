/** A task as it is now: work that goes on after its call (extension io.modelcontextprotocol/tasks, 2026-07-28). */
export interface Task {
  id: string;
  status: "working" | "completed" | "cancelled";
  /** Where it stands, in a few words. */
  message: string;
  createdAt: string;
  /** When its state last changed, as far as that is recorded. */
  updatedAt: string;
  /** When its result can no longer be read; null if it stays. */
  until: string | null;
  /** The tool's answer once it is completed, with the blocks that belong to it; a failure is an answer too. */
  result?: { answer: object; links: readonly object[]; isError: boolean };
}

/** How often a client should ask for its task. */
const POLL_MS = 2_000;

/** Returns the members of a task (Task in the extension's schema). */
export const taskMembers = ({ id, status, message, createdAt, updatedAt, until }: Task): object => ({
  taskId: id,
  status,
  statusMessage: message,
  createdAt,
  lastUpdatedAt: updatedAt,
  ttlMs: until === null ? null : Math.max(1, Date.parse(until) - Date.parse(createdAt)),
  pollIntervalMs: POLL_MS,
});
