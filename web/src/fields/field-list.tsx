import type { CustomField } from "../../../src/contract/fields/fields.ts";
import { placed } from "../parts/use-row-drag.ts";
import { useWords } from "../words/use-words.ts";
import { FieldRow } from "./field-row.tsx";
import { FIELD_WORDS } from "./field-words.ts";
import styles from "./fields.module.css";
import { type Move, useMoveField } from "./use-change-fields.ts";

/** The custom fields in order, which is also their order in tables and on leads. */
export function FieldList(list: {
  fields: readonly CustomField[];
  mayChange: boolean;
  onEdit(field: CustomField): void;
  onRemove(field: CustomField): void;
}) {
  const { fields, mayChange } = list;
  const words = useWords(FIELD_WORDS);
  const move = useMoveField(words.moved);
  const beside = (key: string, other: string, side: "before" | "after"): Move =>
    function to(now) {
      const [entry, at] = [now.find((each) => each.key === key), now.find((each) => each.key === other)];
      return entry === undefined || at === undefined ? now : placed(now, entry, at, side);
    };
  const step = (key: string, by: 1 | -1) => {
    const other = fields[fields.findIndex((each) => each.key === key) + by];
    if (other !== undefined) move.mutate(beside(key, other.key, by === 1 ? "after" : "before"));
  };
  return (
    <ol className={styles.list} aria-label={words.list}>
      {fields.map((field, place) => (
        <FieldRow
          key={field.key}
          field={field}
          isFirst={place === 0}
          isLast={place === fields.length - 1}
          mayChange={mayChange}
          onEdit={() => list.onEdit(field)}
          onRemove={() => list.onRemove(field)}
          onStep={(by) => step(field.key, by)}
          onDrop={(other, side) => move.mutate(beside(other, field.key, side))}
        />
      ))}
    </ol>
  );
}
