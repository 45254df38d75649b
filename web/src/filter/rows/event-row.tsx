import { NativeSelect, TagsInput } from "@mantine/core";
import { EVENT_TYPES } from "../../../../src/contract/lists/events.ts";
import { BECAME } from "../../../../src/contract/lists/figures.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { type AskField, carried, OPERATORS } from "../model/operators.ts";
import type { EventPart } from "../model/part.ts";
import { CountField } from "../values/count-field.tsx";
import { ValueField } from "../values/value-field.tsx";
import { DATE_OPS } from "../words/filter-words.ts";
import { PANEL_WORDS } from "../words/panel-words.ts";
import { useEditing } from "./editing.ts";
import { FilterGroup } from "./filter-group.tsx";
import styles from "./rows.module.css";

/** The conditions on a lead's timeline: which events, how often, when, and of what type. */
export function EventRow({ part, depth }: { part: EventPart; depth: number }) {
  const words = useWords(PANEL_WORDS);
  const { change } = useEditing();
  const become = (next: (old: EventPart) => EventPart) =>
    change(part.id, (old) => (old.kind === "event" ? next(old) : old));
  return (
    <div className={styles.asked}>
      <TagsInput
        label={words.eventTypes}
        placeholder={part.types.length === 0 ? words.anyEvent : ""}
        description={part.types.length === 0 ? words.chooseTypes : undefined}
        data={[...EVENT_TYPES, ...BECAME]}
        value={[...part.types]}
        acceptValueOnBlur
        splitChars={[",", " "]}
        maxDropdownHeight={280}
        onChange={(types) =>
          become((old) => ({ ...old, types: types.map((type) => type.trim()).filter(Boolean) }))
        }
      />
      <div className={styles.pair}>
        <CountField
          count={part.count}
          onChange={(count) =>
            become(({ count: _, ...old }) => ({ ...old, ...(count === undefined ? {} : { count }) }))
          }
        />
        <NativeSelect
          label={words.which}
          value={part.pick ?? ""}
          data={[
            { value: "", label: words.picks },
            ...(part.pick === "any" ? [{ value: "any", label: words.pickAny }] : []),
            { value: "first", label: words.pickFirst },
            { value: "last", label: words.pickLast },
          ]}
          onChange={({ currentTarget: { value } }) =>
            become(({ pick: _, ...old }) => ({
              ...old,
              ...(value === "first" || value === "last" || value === "any" ? { pick: value } : {}),
            }))
          }
        />
      </div>
      <Occurred part={part} become={become} />
      <FilterGroup part={part.where} scope={{ of: "event" }} depth={depth + 1} addLabel={words.details} />
    </div>
  );
}

const WHEN = OPERATORS.date.filter((op) => !op.startsWith("is_"));

function Occurred({ part, become }: { part: EventPart; become(next: (old: EventPart) => EventPart): void }) {
  const words = useWords(PANEL_WORDS);
  const names = DATE_OPS[useLocale()];
  const { occurred } = part;
  const op = occurred?.op ?? "";
  const say = (next: string, value: unknown) =>
    become(({ occurred: _, ...old }) =>
      next === "" ? old : { ...old, occurred: { op: next, value: carried("date", next, value) ?? today() } },
    );
  const field: AskField = {
    name: "occurred_at",
    label: words.when,
    type: "date",
    operators: WHEN,
    options: null,
    custom: false,
  };
  return (
    <div className={styles.when}>
      <NativeSelect
        label={words.when}
        value={op}
        data={[
          { value: "", label: words.anyTime },
          ...[...new Set([...WHEN, ...(op === "" ? [] : [op])])].map((each) => ({
            value: each,
            label: names[each] ?? each,
          })),
        ]}
        onChange={({ currentTarget }) => say(currentTarget.value, occurred?.value)}
      />
      {occurred !== undefined && (
        <div className={styles.value}>
          <ValueField
            key={op}
            field={field}
            op={op}
            value={occurred.value}
            ofLeads={false}
            label={words.when}
            onChange={(value) =>
              value !== undefined && become((old) => ({ ...old, occurred: { op, value } }))
            }
          />
        </div>
      )}
    </div>
  );
}

/** The default day; a new `between` has only this first day. */
const today = (): string => new Date().toISOString().slice(0, 10);
