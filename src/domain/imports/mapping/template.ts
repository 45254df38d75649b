/** A row as templates and rules use it: its cells, its record number, and the number of an event. */
export interface TemplateInput {
  cells: readonly string[];
  record: number;
  n?: number;
}

export type Template = (input: TemplateInput) => string;

/** Compiles `bank-{record} {Header}`; `columnOf` finds a column by its header or throws. */
export function compileTemplate(text: string, columnOf: (header: string) => number): Template {
  const parts = text
    .split(/\{([^{}]*)\}/)
    .map((part, i) => (i % 2 === 0 ? () => part : slot(part, columnOf)));
  return (input) => {
    let filled = "";
    for (const part of parts) filled += part(input);
    return filled;
  };
}

function slot(name: string, columnOf: (header: string) => number): Template {
  if (name === "record") return ({ record }) => String(record);
  if (name === "n") return ({ n }) => String(n ?? "");
  const column = columnOf(name);
  return ({ cells }) => (cells[column] ?? "").trim();
}
