import { Group, NativeSelect, Text } from "@mantine/core";
import { useLocale, useWords } from "../../words/use-words.ts";
import type { Said } from "../model/filter.ts";
import { COUNT_OPS } from "../words/filter-words.ts";
import { PANEL_WORDS } from "../words/panel-words.ts";
import { PairField } from "./date-fields.tsx";
import { JsonField } from "./json-field.tsx";
import { NumberField } from "./number-field.tsx";

/** How often something must exist; at least once by default. */
export function CountField({ count, onChange }: { count: Said | undefined; onChange(count?: Said): void }) {
  const words = useWords(PANEL_WORDS);
  const names = COUNT_OPS[useLocale()];
  const op = count === undefined ? "once" : count.op === "eq" && count.value === 0 ? "never" : count.op;
  const choose = (next: string) => {
    if (next === "once") onChange(undefined);
    else if (next === "never") onChange({ op: "eq", value: 0 });
    else if (next === "between") onChange({ op: next, value: [1, 3] });
    else onChange({ op: next, value: typeof count?.value === "number" && count.value > 0 ? count.value : 2 });
  };
  const value = count?.value;
  const isPair =
    Array.isArray(value) && value.length === 2 && value.every((each) => typeof each === "number");
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <NativeSelect
        label={words.howOften}
        value={op}
        data={[...new Set([...Object.keys(names), op])].map((each) => ({
          value: each,
          label: names[each] ?? each,
        }))}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      {op !== "once" && op !== "never" && (
        <Group gap={6} wrap="nowrap" pt={25} flex={1}>
          {op === "between" && isPair ? (
            <PairField
              of="number"
              value={value}
              label={words.howOften}
              onChange={(next) => next && onChange({ op, value: next })}
            />
          ) : typeof value === "number" ? (
            <NumberField
              key={op}
              whole
              value={value}
              label={words.times}
              width={80}
              onChange={(next) => next !== undefined && onChange({ op, value: next })}
            />
          ) : (
            <JsonField
              value={value}
              label={words.howOften}
              onChange={(next) => onChange({ op, value: next })}
            />
          )}
          {op !== "between" && <Text size="sm">{words.times}</Text>}
        </Group>
      )}
    </Group>
  );
}
