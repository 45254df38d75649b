import { Anchor } from "@mantine/core";
import { useCellText } from "../model/cell-text.ts";
import type { Column } from "../model/dataset.ts";

/** A cell to be looked at. Addresses can be followed; nothing of a value is ever more than text. */
export function GridCell({ column, value }: { column: Column; value: unknown }) {
  const textOf = useCellText();
  const text = textOf(column, value);
  if (text === "") return null;
  if (column.type === "url" && typeof value === "string" && /^https?:\/\//i.test(value))
    return (
      <Anchor href={value} target="_blank" rel="noopener noreferrer" tabIndex={-1} fz="inherit">
        <bdi>{text}</bdi>
      </Anchor>
    );
  return <bdi>{text}</bdi>;
}
