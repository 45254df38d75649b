import { displayNameSql } from "../../fields/lead-field.ts";

/** SQL for the name that people know a lead by, from its row. */
export const leadNameSql = (row: string): string =>
  `coalesce(${displayNameSql(`${row}.`)}, ${row}.email, ${row}.phone, ${row}.company)`;
