/**
 * Where the panel's screens are, under `/projects/{project}/`; `:name` stands for any one part. The server shows the panel
 * at these addresses, and web/src/screens.tsx must have a screen for each.
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
  "imports",
  "imports/:import",
  "exports",
  "datasets",
  "datasets/:dataset",
] as const;

export type ScreenAddress = (typeof SCREENS)[number];
