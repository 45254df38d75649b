import { ActionIcon, Badge, Group, Tooltip } from "@mantine/core";
import type { ReactNode } from "react";
import type { CustomField } from "../../../src/contract/fields/fields.ts";
import { IconArrowDown, IconArrowUp, IconGripVertical, IconPencil, IconTrash } from "../look/icons.ts";
import { useRowDrag } from "../parts/use-row-drag.ts";
import { useFormat } from "../words/format.ts";
import { TYPE_WORDS } from "../words/type-words.ts";
import { useWords } from "../words/use-words.ts";
import { FIELD_WORDS } from "./field-words.ts";
import styles from "./fields.module.css";
import { isBuilding } from "./own-field.ts";

const CHOICES = 6;

/** A field with its name and type, and for editors the actions to move, edit and delete it. */
export function FieldRow(row: {
  field: CustomField;
  isFirst: boolean;
  isLast: boolean;
  mayChange: boolean;
  onEdit(): void;
  onRemove(): void;
  onStep(by: 1 | -1): void;
  onDrop(key: string, side: "before" | "after"): void;
}) {
  const { field, mayChange } = row;
  const words = useWords(FIELD_WORDS);
  const { ref, handle, dragged, side } = useRowDrag({
    list: "fields",
    id: field.key,
    enabled: mayChange,
    onDrop: row.onDrop,
  });
  const act = (name: string, icon: ReactNode, run: () => void, disabled = false) => (
    <Tooltip label={name}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={`${name}: ${field.label}`}
        disabled={disabled}
        onClick={run}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  );
  return (
    <li className={styles.row} ref={ref} data-dragged={dragged} data-side={side}>
      {mayChange && (
        <button
          ref={handle}
          type="button"
          className={styles.grip}
          title={words.drag}
          aria-hidden
          tabIndex={-1}
        >
          <IconGripVertical size={16} />
        </button>
      )}
      <Details field={field} />
      {mayChange && (
        <Group gap={4} wrap="nowrap" className={styles.acts}>
          {act(words.up, <IconArrowUp size={18} />, () => row.onStep(-1), row.isFirst)}
          {act(words.down, <IconArrowDown size={18} />, () => row.onStep(1), row.isLast)}
          {act(words.edit, <IconPencil size={18} />, row.onEdit)}
          {act(words.remove, <IconTrash size={18} />, row.onRemove)}
        </Group>
      )}
    </li>
  );
}

function Details({ field }: { field: CustomField }) {
  const words = useWords(FIELD_WORDS);
  const types = useWords(TYPE_WORDS);
  const { number } = useFormat();
  const { options } = field;
  const shown = options.slice(0, CHOICES);
  return (
    <div className={styles.details}>
      <div className={styles.name}>
        <bdi className={styles.label}>{field.label}</bdi>
        <code className={styles.key}>{field.key}</code>
        {!field.timeline && <Mark name={words.untracked} what={words.untrackedWhat} />}
        {field.indexed &&
          (isBuilding(field) ? (
            <Mark name={words.building} what={words.buildingWhat} />
          ) : (
            <Mark name={words.indexed} what={words.indexedWhat} />
          ))}
      </div>
      <div className={styles.note}>
        {types[field.type] ?? field.type}
        {shown.length > 0 && (
          <span className={styles.choices}>
            {shown.map((option) => (
              <bdi key={option} className={styles.choice}>
                {option}
              </bdi>
            ))}
            {options.length > CHOICES && words.more(number(options.length - CHOICES))}
          </span>
        )}
      </div>
      {field.description !== null && field.description !== "" && (
        <p className={styles.what}>
          <bdi>{field.description}</bdi>
        </p>
      )}
    </div>
  );
}

const Mark = ({ name, what }: { name: string; what: string }) => (
  <Tooltip label={what}>
    <Badge size="sm" variant="default" className={styles.mark}>
      {name}
    </Badge>
  </Tooltip>
);
