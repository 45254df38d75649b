/** The limits that count calls in a bucket, by the names that LIMITS and the headers use. */
export const LIMIT_NAMES = [
  "datasetReads",
  "datasetWrites",
  "datasetImports",
  "api",
  "mcp",
  "token",
  "introspect",
  "revoke",
] as const;

export type LimitName = (typeof LIMIT_NAMES)[number];

/** A bucket of `burst` turns that gets one back every `each` microseconds. */
export interface Limit {
  each: number;
  burst: number;
}

/** Null sets no limit. */
export type Limits = Record<LimitName, Limit | null>;
