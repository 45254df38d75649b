/**
 * SQL for a time after `updated_at` for an UPDATE: a writer that waited for another one started before that one ended. Without a
 * time zone in between, because a cluster allows only IMMUTABLE functions of columns there.
 */
export const AFTER_LAST =
  "greatest(moment(), ((updated_at AT TIME ZONE 'UTC') + interval '1 microsecond') AT TIME ZONE 'UTC')";
