import { Checkbox, Select, Stack } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import type { LeadInput } from "../../../../src/contract/leads/lead-input.ts";
import { kindOf } from "../../records/field-kind.ts";
import { patchOf } from "../../records/lead.ts";
import { type ProjectSchema, useReadProjectSchema } from "../../records/project-schema.ts";
import { isEmpty } from "../../records/value.ts";
import { draftOf, type ValueDraft, ValueInput, valueFrom } from "../../records/value-input.tsx";
import { useProject } from "../../session/me.ts";
import { useWords } from "../../words/use-words.ts";
import type { BulkAction } from "./bulk-calls.ts";
import { BULK_WORDS } from "./bulk-words.ts";

/** The wait after a key before a change of many leads is rehearsed, in milliseconds. */
const PAUSE = 250;

/** A field and its new value, as they are typed; `clear` empties the field. */
interface Typed {
  field: string | null;
  draft: ValueDraft;
  clear: boolean;
}

const NOTHING: Typed = { field: null, draft: null, clear: false };

/** The field and value of a change of many leads, and the change; undefined until both are chosen. */
export function useFieldChange() {
  const { schema } = useReadProjectSchema();
  const { timezone } = useProject();
  const [typed, setTyped] = useState(NOTHING);
  const [settled] = useDebouncedValue(typed, PAUSE);
  const action = settled === typed ? actionOf(schema, typed, timezone) : undefined;
  return { schema, typed, setTyped, action };
}

function actionOf({ fields, custom }: ProjectSchema, typed: Typed, zone: string): BulkAction | undefined {
  const field = typed.field === null ? undefined : fields.get(typed.field);
  if (field === undefined) return undefined;
  const kind = kindOf(field, custom);
  const value = typed.clear ? (kind === "list" ? [] : null) : valueFrom(kind, typed.draft, zone);
  if (isEmpty(value) && !typed.clear) return undefined;
  const set: LeadInput = patchOf(field.name, value);
  return { op: "set", set };
}

/** Chooses a field and types its new value, or empties it. */
export function FieldChange({
  change: { schema, typed, setTyped },
  fault,
}: {
  change: ReturnType<typeof useFieldChange>;
  fault: string | undefined;
}) {
  const words = useWords(BULK_WORDS);
  const { timezone } = useProject();
  const writable = [...schema.fields.values()].filter((field) => field.writable);
  const choices = (custom: boolean) =>
    writable.filter((field) => field.custom === custom).map(({ name, label }) => ({ value: name, label }));
  const field = typed.field === null ? undefined : schema.fields.get(typed.field);
  const choose = (name: string | null) => {
    const chosen = name === null ? undefined : schema.fields.get(name);
    const draft = chosen === undefined ? null : draftOf(kindOf(chosen, schema.custom), null, timezone);
    setTyped({ field: name, draft, clear: false });
  };
  const groups = [
    { group: words.standard, items: choices(false) },
    { group: words.own, items: choices(true) },
  ];
  return (
    <Stack gap="sm">
      <Select
        label={words.field}
        data={groups.filter(({ items }) => items.length > 0)}
        value={typed.field}
        onChange={choose}
        allowDeselect={false}
        searchable
        nothingFoundMessage={words.noField}
        data-autofocus
      />
      {field !== undefined && (
        <>
          <ValueInput
            key={field.name}
            labelled
            kind={kindOf(field, schema.custom)}
            field={field}
            draft={typed.draft}
            onChange={(draft) => setTyped({ ...typed, draft })}
            fault={fault}
            known={schema}
            disabled={typed.clear}
          />
          {!field.required && (
            <Checkbox
              label={words.empty}
              checked={typed.clear}
              onChange={({ currentTarget: { checked } }) => setTyped({ ...typed, clear: checked })}
            />
          )}
        </>
      )}
    </Stack>
  );
}
