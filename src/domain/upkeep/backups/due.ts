/** Whether the last backup began before the time of day had come last, in the machine's time zone. */
export function isDue(
  now: Date,
  lastStarted: string | undefined,
  at: { hour: number; minute: number },
): boolean {
  if (lastStarted === undefined) return true;
  const due = new Date(now);
  due.setHours(at.hour, at.minute, 0, 0);
  if (due > now) due.setDate(due.getDate() - 1);
  return Date.parse(lastStarted) < due.getTime();
}
