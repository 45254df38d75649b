/** What is known about the regular backups of this instance. */
export interface BackupState {
  /** The newest complete backup. */
  last?: { folder: string; finished: string; bytes: number; has_key: boolean } | undefined;
  /** The last attempt, if it failed. */
  failure?: { at: string; message: string } | undefined;
  /** How many attempts failed since the start. */
  failures: number;
  /** The time up to which the log is archived. */
  archivedUntil?: string | undefined;
}
