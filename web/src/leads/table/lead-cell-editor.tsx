import { NumberInput, Select, TagsInput, TextInput } from "@mantine/core";
import { type FocusEvent, type KeyboardEvent, useRef, useState } from "react";
import type { Lead } from "../../../../src/contract/nouns/lead.ts";
import { leadValue } from "../../records/lead.ts";
import { useProject } from "../../session/me.ts";
import type { AfterEdit } from "../../table/cell.ts";
import styles from "../../table/table.module.css";
import { useLocale, useWords } from "../../words/use-words.ts";
import { clockIn, momentIn } from "../../words/zone-time.ts";
import { useKnown } from "../list/lead-list-context.ts";
import { LEAD_LIST_WORDS } from "../list/lead-list-words.ts";
import type { LeadColumn } from "./columns.ts";

/** Where the editing continues: nowhere, or in the next or previous cell of the row. */
const TEXTS = new Set(["text", "email", "phone", "id"]);

/** Edits one cell: Enter, Tab and leaving the cell save, Escape cancels. */
export function LeadCellEditor(editor: {
  lead: Lead;
  column: LeadColumn;
  onDone(then: AfterEdit, value?: { value: unknown }): void;
}) {
  const { lead, column, onDone } = editor;
  const { kind, label } = column;
  const { timezone } = useProject();
  const locale = useLocale();
  const words = useWords(LEAD_LIST_WORDS);
  const known = useKnown();
  const before = leadValue(lead, column.name);
  const [value, setValue] = useState<unknown>(
    kind === "moment" && before !== null ? clockIn(timezone, String(before)) : before,
  );
  const over = useRef(false);
  const finish = (then: AfterEdit, chosen: unknown = value) => {
    if (over.current) return;
    over.current = true;
    const written = kind === "moment" && chosen !== null ? momentIn(timezone, String(chosen)) : chosen;
    const untouched = kind === "moment" && chosen === value && chosen === clockOrNull(before, timezone);
    onDone(then, untouched ? undefined : { value: written === "" ? null : written });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      over.current = true;
      onDone("stay");
    } else if (event.key === "Tab") {
      event.preventDefault();
      finish(event.shiftKey ? "before" : "next");
    } else if (event.key === "Enter" && kind !== "list" && !isChoice) finish("stay");
  };
  const choices = choicesOf(column, known.statuses, known.people, words);
  const isChoice = choices !== undefined;
  const onBlur = (event: FocusEvent) => {
    if (!event.currentTarget.contains(event.relatedTarget)) finish("stay");
  };
  const usual = { "aria-label": label, autoFocus: true, size: "xs", radius: 0 } as const;
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
          onDropdownClose={() => finish("stay")}
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
    </div>
  );
}

const clockOrNull = (value: unknown, timezone: string) =>
  value === null ? null : clockIn(timezone, String(value));

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
