/** SQL for the name that people know a row of dataset `d` by, from its cells: its key, otherwise its first value. */
export const rowNameSql = (cells: string): string =>
  `(SELECT left(${cells} ->> (col ->> 'slot'), 80) FROM jsonb_array_elements(d.columns) WITH ORDINALITY AS col_of (col, n)
    WHERE jsonb_typeof(${cells} -> (col ->> 'slot')) IN ('string', 'number', 'boolean')
    ORDER BY (col ->> 'key' = d.key_column) IS TRUE DESC, n LIMIT 1)`;
