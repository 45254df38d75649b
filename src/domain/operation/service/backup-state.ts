/** What is known about the regular backups of this instance. */
export interface BackupState {
  /** The newest complete backup. */
  last?: { finished: string; bytes: number } | undefined;
  /** How many attempts failed since the start: of backups, of their verification, and of archiving the log. */
  failures: number;
  /** The last attempt, if it failed. */
  failed?: Failure | undefined;
  /** The time up to which the log is archived. */
  archivedUntil?: string | undefined;
  /** Since when it should be archived; undefined if that is not wished. */
  archiveWantedSince?: string | undefined;
  /** Why the log is not archived at the moment. */
  archiveFailed?: Failure | undefined;
  /** When a backup and its archive were restored and compared for the last time. */
  verified?: string | undefined;
  /** The last verification, if it failed or could not start. */
  verifyFailed?: Failure | undefined;
  /** Whether backups are on the disk that has the data. */
  isOnSameDisk: boolean;
  /** How far the store is behind; undefined without one. */
  store?: StoreState | undefined;
}

/** How far the store of backups is behind the folder in which they are made. */
export interface StoreState {
  /** The bytes that are not in the store; undefined until both were compared. */
  waitingBytes: number | undefined;
  /** The longest that a file took to arrive in the last 24 hours, or waits now, in seconds. */
  greatestDelay: number | undefined;
  /** When a file arrived or nothing waited for the last time, also before a restart; if none ever did, when the service started. */
  arrived: string;
  /** Why the store takes nothing at the moment. */
  failed: Failure | undefined;
}

/** When something failed, and why. */
export interface Failure {
  at: string;
  why: string;
}
