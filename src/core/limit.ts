/** The limits that are counted in a bucket, by their names in LIMITS and in headers. */
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

/** A bucket of `burst` hits that regains one every `each` microseconds. */
export interface Limit {
  each: number;
  burst: number;
}

/** Null sets no limit. */
export type Limits = Record<LimitName, Limit | null>;
