import { ActionIcon, Badge, Button, Group, Tooltip } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { Column } from "../../../../src/contract/datasets/dataset.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import {
  IconArrowBackUp,
  IconArrowDown,
  IconArrowUp,
  IconKey,
  IconPencil,
  IconPlus,
  IconTrash,
} from "../../look/icons.ts";
import { TYPE_WORDS } from "../../words/type-words.ts";
import { useWords } from "../../words/use-words.ts";
import { ROW_WORDS } from "../model/row-words.ts";
import { ColumnDialog, type EditedColumn } from "./column-dialog.tsx";
import styles from "./schema.module.css";
import { type DatasetDraft, type DraftColumn, newColumn, withoutColumn } from "./schema.ts";
import { SCHEMA_WORDS } from "./schema-words.ts";

/** The columns in order, with the actions to change them if the user may. */
export function ColumnList(list: {
  draft: DatasetDraft;
  /** The columns as stored. */
  stored: readonly Column[];
  mayChange: boolean;
  /** The name of the draft of the column that is being edited. */
  draftName: string;
  onChange(draft: DatasetDraft): void;
}) {
  const { draft, stored, mayChange, onChange } = list;
  const words = useWords(SCHEMA_WORDS);
  // a column in its dialog that nobody typed in yet is no draft
  const [opened, setOpened] = useState<EditedColumn>();
  const [typed, setTyped, { drop }] = useDraft<EditedColumn | null>(list.draftName, null);
  const edited = typed ?? opened;
  const edit = (column: DraftColumn) => setOpened({ from: column, column, ownKey: column.key !== "" });
  const close = () => {
    drop();
    setOpened(undefined);
  };
  const put = (columns: readonly DraftColumn[]) => onChange({ ...draft, columns });
  const move = (from: number, to: number) => {
    const column = draft.columns[from];
    if (column !== undefined) put(draft.columns.toSpliced(from, 1).toSpliced(to, 0, column));
  };
  const store = (column: DraftColumn) => {
    const isThere = draft.columns.some(({ id }) => id === column.id);
    const columns = isThere
      ? draft.columns.map((each) => (each.id === column.id ? column : each))
      : // deleted by a colleague meanwhile, or new
        [...draft.columns, { ...column, was: undefined }];
    const linked = draft.link?.column === column.id && column.type !== edited?.from.type;
    onChange({ ...draft, columns, ...(linked && { link: null }) });
    close();
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
                <Act name={words.edit} of={column} disabled={column.goes} onClick={() => edit(column)}>
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
          onClick={() => edit(newColumn())}
        >
          {words.add}
        </Button>
      )}
      {edited !== undefined && (
        <ColumnDialog
          edited={edited}
          taken={draft.columns.filter(({ id, goes }) => id !== edited.from.id && !goes).map(({ key }) => key)}
          isKeyColumn={draft.keyColumn === edited.from.id}
          onType={setTyped}
          onDone={store}
          onClose={close}
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
