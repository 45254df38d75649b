/** What is known about the regular backups of this instance. */
export interface BackupState {
  /** The newest complete backup. */
  last?: { finished: string; bytes: number } | undefined;
  /** How many attempts failed since the start. */
  failures: number;
  /** The last attempt, if it failed. */
  failed?: { at: string; why: string } | undefined;
  /** The time up to which the log is archived. */
  archivedUntil?: string | undefined;
}
