/**
 * The paths of the panel's screens under `/projects/{project}/`; `:name` matches one segment. The server serves the panel at
 * these paths, and web/src/screens.tsx must have a screen for each.
 */
export const SCREENS = [
  "dashboard",
  "leads",
  "board",
  "settings/statuses",
  "settings/fields",
  "settings/usage",
  "leads/:lead",
  "duplicates",
  "history",
  "history/:change",
  "imports",
  "imports/:import",
  "exports",
  "datasets",
  "datasets/:dataset",
] as const;

export type ScreenAddress = (typeof SCREENS)[number];
