import { ActionIcon, Badge, Button, Group, Tooltip } from "@mantine/core";
import {
  IconArrowBackUp,
  IconArrowDown,
  IconArrowUp,
  IconKey,
  IconPencil,
  IconPlus,
  IconTrash,
} from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { Column } from "../../../../src/contract/nouns/datasets/dataset.ts";
import { TYPE_WORDS } from "../../words/type-words.ts";
import { useWords } from "../../words/use-words.ts";
import { ROW_WORDS } from "../model/row-words.ts";
import { ColumnDialog } from "./column-dialog.tsx";
import styles from "./schema.module.css";
import { type DatasetDraft, type DraftColumn, newColumn, withoutColumn } from "./schema.ts";
import { SCHEMA_WORDS } from "./schema-words.ts";

/** The columns in order, with the actions to change them if the user may. */
export function ColumnList(list: {
  draft: DatasetDraft;
  /** The columns as stored. */
  stored: readonly Column[];
  mayChange: boolean;
  onChange(draft: DatasetDraft): void;
}) {
  const { draft, stored, mayChange, onChange } = list;
  const words = useWords(SCHEMA_WORDS);
  const [edited, setEdited] = useState<DraftColumn>();
  const put = (columns: readonly DraftColumn[]) => onChange({ ...draft, columns });
  const move = (from: number, to: number) => {
    const column = draft.columns[from];
    if (column !== undefined) put(draft.columns.toSpliced(from, 1).toSpliced(to, 0, column));
  };
  const store = (column: DraftColumn) => {
    const isThere = draft.columns.some(({ id }) => id === column.id);
    const columns = isThere
      ? draft.columns.map((each) => (each.id === column.id ? column : each))
      : [...draft.columns, column];
    const linked = draft.link?.column === column.id && column.type !== edited?.type;
    onChange({ ...draft, columns, ...(linked && { link: null }) });
    setEdited(undefined);
  };
  const left = draft.columns.filter(({ goes }) => !goes).length;
  return (
    <>
      <ol className={styles.list} aria-label={words.list}>
        {draft.columns.map((column, i) => (
          <ColumnLine
            key={column.id}
            column={column}
            stored={stored.find(({ key }) => key === column.was)}
            isAllNew={stored.length === 0}
            isKeyColumn={draft.keyColumn === column.id}
          >
            {mayChange && (
              <>
                <Act name={words.up} of={column} disabled={i === 0} onClick={() => move(i, i - 1)}>
                  <IconArrowUp size={18} />
                </Act>
                <Act
                  name={words.down}
                  of={column}
                  disabled={i === draft.columns.length - 1}
                  onClick={() => move(i, i + 1)}
                >
                  <IconArrowDown size={18} />
                </Act>
                <Act name={words.edit} of={column} disabled={column.goes} onClick={() => setEdited(column)}>
                  <IconPencil size={18} />
                </Act>
                {column.goes ? (
                  <Act name={words.keep} of={column} onClick={() => store({ ...column, goes: false })}>
                    <IconArrowBackUp size={18} />
                  </Act>
                ) : (
                  <Act
                    name={words.drop}
                    of={column}
                    disabled={left === 1}
                    onClick={() => onChange(withoutColumn(draft, column.id))}
                  >
                    <IconTrash size={18} />
                  </Act>
                )}
              </>
            )}
          </ColumnLine>
        ))}
      </ol>
      {mayChange && (
        <Button
          m="sm"
          variant="subtle"
          leftSection={<IconPlus size={16} />}
          onClick={() => setEdited(newColumn())}
        >
          {words.add}
        </Button>
      )}
      {edited !== undefined && (
        <ColumnDialog
          column={edited}
          taken={draft.columns.filter(({ id, goes }) => id !== edited.id && !goes).map(({ key }) => key)}
          isKeyColumn={draft.keyColumn === edited.id}
          onDone={store}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
}

function ColumnLine(line: {
  column: DraftColumn;
  stored: Column | undefined;
  /** Whether no column is stored yet, so that the badge "new" would be noise. */
  isAllNew: boolean;
  isKeyColumn: boolean;
  children: ReactNode;
}) {
  const { column, stored, isKeyColumn } = line;
  const words = useWords(SCHEMA_WORDS);
  const grid = useWords(ROW_WORDS);
  const types = useWords(TYPE_WORDS);
  const { id: _, was, goes, ...plain } = column;
  const order = ["key", "label", "type", "required", "unique", "options"] as const;
  const isOther = stored !== undefined && order.some((what) => String(stored[what]) !== String(plain[what]));
  const state = goes
    ? "goes"
    : isOther
      ? "changed"
      : line.isAllNew || was !== undefined
        ? undefined
        : "fresh";
  return (
    <li className={styles.column} data-goes={goes || undefined}>
      <span className={styles.columnName}>
        <bdi>{column.label}</bdi>
        <code className={styles.note}>{column.key}</code>
      </span>
      <span className={styles.columnType}>
        {types[column.type]}
        {column.type === "enum" && ` (${column.options.length})`}
      </span>
      <Group gap={6} className={styles.columnMarks}>
        {isKeyColumn && (
          <Badge tt="none" variant="light" leftSection={<IconKey size={12} />}>
            {grid.key}
          </Badge>
        )}
        {column.required && !isKeyColumn && (
          <Badge tt="none" variant="default" color="gray">
            {grid.required}
          </Badge>
        )}
        {column.unique && !isKeyColumn && (
          <Badge tt="none" variant="default" color="gray">
            {grid.unique}
          </Badge>
        )}
        {state !== undefined && (
          <Badge tt="none" variant="light" color={state === "goes" ? "red" : "blue"}>
            {words[state]}
          </Badge>
        )}
      </Group>
      <Group gap={4} wrap="nowrap" ml="auto">
        {line.children}
      </Group>
    </li>
  );
}

function Act(act: {
  name: string;
  of: DraftColumn;
  disabled?: boolean;
  onClick(): void;
  children: ReactNode;
}) {
  return (
    <Tooltip label={act.name}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={`${act.name}: ${act.of.label}`}
        disabled={act.disabled === true}
        onClick={act.onClick}
      >
        {act.children}
      </ActionIcon>
    </Tooltip>
  );
}
