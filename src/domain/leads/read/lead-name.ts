/** SQL for the name that people know a lead by, from its row. */
export const leadNameSql = (row: string): string =>
  `coalesce(nullif(${row}.name, ''), nullif(concat_ws(' ', ${row}.first_name, ${row}.last_name), ''), ${row}.email, ${row}.phone, ${row}.company)`;
