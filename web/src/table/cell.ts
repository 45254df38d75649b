/** Where the focus goes after a cell was edited. */
export type AfterEdit = "stay" | "next" | "before";

/** The id of a cell's element, for `aria-activedescendant`. */
export const cellId = (record: string, column: string): string => `cell-${record}-${column}`;
