import { NumberInput, Select, TagsInput, TextInput } from "@mantine/core";
import { type FocusEvent, type KeyboardEvent, useCallback, useEffect, useRef, useState } from "react";
import { useUnsaved } from "../../drafts/unsaved.ts";
import { authorOf } from "../../live/authors.ts";
import { leadValue } from "../../records/lead.ts";
import type { ListedLead } from "../../records/listed-lead.ts";
import { TheirsNotice } from "../../records/theirs-notice.tsx";
import type { UnsavedCell } from "../../records/unsaved-cells.ts";
import { sameValue } from "../../records/value.ts";
import { useProject } from "../../session/me.ts";
import { useSession } from "../../session/session.ts";
import type { AfterEdit } from "../../table/cell.ts";
import styles from "../../table/table.module.css";
import { leadName } from "../../words/lead-name.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { clockIn, momentIn } from "../../words/zone-time.ts";
import { type Edited, useActions, useKnown } from "../list/lead-list-context.ts";
import { LEAD_LIST_WORDS } from "../list/lead-list-words.ts";
import { hasColumn } from "../list/list-fields.ts";
import type { LeadColumn } from "./columns.ts";
import { LeadCell } from "./lead-cell.tsx";
import { seenBy } from "./seen-by.ts";

/** Where the editing continues: nowhere, or in the next or previous cell of the row. */
const TEXTS = new Set(["text", "email", "phone", "id"]);

/** What the editor holds as the API takes it. */
export function writtenValue({ kind }: LeadColumn, input: unknown, timezone: string): unknown {
  const written = kind === "moment" && input !== null ? momentIn(timezone, String(input)) : input;
  return written === "" ? null : written;
}

/**
 * Edits one cell: Enter, Tab and leaving the cell save, Escape cancels. A value that was not saved is here again with the
 * reason (`unsaved`); Enter sends it again.
 */
export function LeadCellEditor(editor: {
  lead: ListedLead;
  column: LeadColumn;
  unsaved: UnsavedCell | undefined;
  onDone(then: AfterEdit, edited?: Edited): void;
}) {
  const { lead, column, unsaved, onDone } = editor;
  const { kind, label } = column;
  const { timezone } = useProject();
  const locale = useLocale();
  const words = useWords(LEAD_LIST_WORDS);
  const known = useKnown();
  const { unsaved: cells } = useActions();
  const { over: signedOut } = useSession();
  const [pinned, pin] = useState(() => seenBy(lead, unsaved));
  const theirs = leadValue(hasColumn(lead, column.name) ? lead : pinned, column.name);
  const isAsSeen = sameValue(theirs, leadValue(pinned, column.name));
  // other fields of a newer version do not matter here
  const seen = isAsSeen ? lead : pinned;
  const before = leadValue(seen, column.name);
  const first = unsaved === undefined ? inputOf(kind, before, timezone) : unsaved.input;
  const [value, become] = useState<unknown>(first);
  const typed = (input: unknown): UnsavedCell => {
    const { id: record, version } = seen;
    const cell = { record, name: leadName(lead), field: column.name, input, was: before, version };
    return { ...cell, state: "failed", message: "", again: true };
  };
  const setValue = (input: unknown) => {
    become(input);
    cells.keep(typed(input));
  };
  const over = useRef(false);
  const isTyped = !sameValue(value, inputOf(kind, before, timezone));
  const isTheirs = sameValue(value, inputOf(kind, theirs, timezone));
  const follows = !isAsSeen && (isTheirs || (!isTyped && unsaved === undefined));
  useEffect(() => {
    if (!follows) return;
    pin(lead);
    become(inputOf(kind, theirs, timezone));
  }, [follows, lead, kind, theirs, timezone]);
  const discard = useCallback(() => {
    over.current = true;
  }, []);
  useUnsaved(isTyped, discard);
  // a row that is scrolled away, or no longer in the list, takes its editor with it
  const taken = useRef(() => {});
  taken.current = () => {
    if (isTyped && !over.current && !sameValue(value, unsaved?.input)) cells.put(typed(value));
  };
  useEffect(() => () => taken.current(), []);
  const finish = (then: AfterEdit, chosen: unknown = value) => {
    if (over.current) return;
    over.current = true;
    const untouched = sameValue(chosen, inputOf(kind, before, timezone));
    if (untouched) onDone(then, "cancel");
    else onDone(then, { value: writtenValue(column, chosen, timezone), input: chosen, seen });
  };
  /** Leaving the cell saves, except for a value that was just refused: it waits. */
  const leave = (chosen: unknown = value) => {
    if (unsaved === undefined || !sameValue(chosen, unsaved.input)) return finish("stay", chosen);
    if (over.current) return;
    over.current = true;
    onDone("stay");
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      over.current = true;
      onDone("stay", "cancel");
    } else if (event.key === "Tab") {
      event.preventDefault();
      finish(event.shiftKey ? "before" : "next");
    } else if (event.key === "Enter" && kind !== "list" && !isChoice) finish("stay");
  };
  const choices = choicesOf(column, known.statuses, known.people, words);
  const isChoice = choices !== undefined;
  const onBlur = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) leave();
  };
  // the dialog that asks to sign in keeps the focus
  const usual = { "aria-label": label, autoFocus: !signedOut, size: "xs", radius: 0 } as const;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the field inside
    <div className={styles.editor} onKeyDown={onKeyDown} onBlur={isChoice ? undefined : onBlur}>
      {choices !== undefined ? (
        <Select
          {...usual}
          data={choices}
          value={value === null ? null : String(value)}
          defaultDropdownOpened
          searchable={choices.length > 7}
          clearable={column.name !== "status"}
          comboboxProps={{ width: "max-content", position: "bottom-start" }}
          onChange={(chosen) =>
            finish("stay", kind === "boolean" && chosen !== null ? chosen === "true" : chosen)
          }
          onDropdownClose={() => leave()}
        />
      ) : kind === "list" ? (
        <TagsInput
          {...usual}
          data={[]}
          placeholder={words.addTag}
          value={(value as string[] | null) ?? []}
          onChange={setValue}
          onKeyDown={(event) => {
            if (event.key === "Enter" && event.currentTarget.value === "") finish("stay");
          }}
          acceptValueOnBlur
        />
      ) : kind === "number" || kind === "money" ? (
        <NumberInput
          {...usual}
          value={value === null ? "" : Number(value)}
          onChange={(given) => setValue(given === "" ? null : given)}
          decimalSeparator={locale === "pt-BR" ? "," : "."}
          hideControls
        />
      ) : (
        <TextInput
          {...usual}
          type={TEXTS.has(kind) ? "text" : kind === "day" ? "date" : "datetime-local"}
          value={value === null ? "" : String(value)}
          onChange={(event) => setValue(event.currentTarget.value === "" ? null : event.currentTarget.value)}
          onFocus={(event) => TEXTS.has(kind) && event.currentTarget.select()}
        />
      )}
      {!isAsSeen && !follows && (
        <TheirsNotice
          who={authorOf(lead.id, column.name)}
          value={theirs === null ? words.empty : <LeadCell lead={lead} column={column} isText />}
          onTheirs={() => {
            over.current = true;
            onDone("stay", "cancel");
          }}
          onMine={() => pin(lead)}
        />
      )}
      {unsaved !== undefined && unsaved.message !== "" && (
        <div className={styles.editorMessage} role="alert">
          {unsaved.message}
        </div>
      )}
    </div>
  );
}

const inputOf = (kind: LeadColumn["kind"], value: unknown, timezone: string): unknown =>
  kind === "moment" && value !== null ? clockIn(timezone, String(value)) : value;

function choicesOf(
  { kind, options }: LeadColumn,
  statuses: readonly string[],
  people: ReadonlyMap<string, string>,
  words: { yes: string; no: string },
): { value: string; label: string }[] | undefined {
  const plain = (list: readonly string[]) => list.map((each) => ({ value: each, label: each }));
  if (kind === "status") return plain(statuses);
  if (kind === "choice") return plain(options);
  if (kind === "owner") return [...people].map(([value, label]) => ({ value, label }));
  if (kind === "boolean")
    return [
      { value: "true", label: words.yes },
      { value: "false", label: words.no },
    ];
  return undefined;
}
