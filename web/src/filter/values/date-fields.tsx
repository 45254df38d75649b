import { Group, NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { PERIODS, UNITS } from "../../../../src/contract/lists/time.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { PERIOD_WORDS, UNIT_WORDS } from "../words/filter-words.ts";
import { PANEL_WORDS } from "../words/panel-words.ts";
import { NumberField } from "./number-field.tsx";

interface Edited {
  value: unknown;
  label: string;
  onChange(value: unknown): void;
}

/** A calendar day; a timestamp from elsewhere is kept as text. */
export function DayField({ value, label, onChange }: Edited) {
  const text = typeof value === "string" ? value : "";
  const isDay = text === "" || text.length === 10;
  return (
    <TextInput
      type={isDay ? "date" : "text"}
      aria-label={label}
      value={text}
      max={isDay ? "9998-12-31" : undefined}
      flex={1}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    />
  );
}

/** Two values, such as from and to; the condition stays incomplete until both are there. */
export function PairField(pair: Edited & { of: "day" | "number" }) {
  const words = useWords(PANEL_WORDS);
  const given = Array.isArray(pair.value) ? (pair.value as unknown[]) : [];
  const [ends, setEnds] = useState<readonly [unknown, unknown]>([given[0], given[1]]);
  const become = (next: readonly [unknown, unknown]) => {
    setEnds(next);
    pair.onChange(next[0] === undefined || next[1] === undefined ? undefined : next);
  };
  const Field = pair.of === "day" ? DayField : NumberField;
  return (
    <Group gap={6} wrap="nowrap" align="flex-start" flex={1}>
      <Field
        value={ends[0]}
        label={`${words.from}: ${pair.label}`}
        onChange={(from) => become([from, ends[1]])}
      />
      <Field
        value={ends[1]}
        label={`${words.until}: ${pair.label}`}
        onChange={(until) => become([ends[0], until])}
      />
    </Group>
  );
}

/** A number of days, weeks or months. */
export function SpanField({ value, label, onChange }: Edited) {
  const locale = useLocale();
  const words = useWords(PANEL_WORDS);
  const units = useWords(UNIT_WORDS);
  const given = (value ?? { n: undefined, unit: "day" }) as { n: number | undefined; unit: string };
  const [unit, setUnit] = useState(given.unit);
  const [n, setN] = useState(given.n);
  const become = (next: { n: number | undefined; unit: string }) => {
    setN(next.n);
    setUnit(next.unit);
    onChange(next.n === undefined ? undefined : next);
  };
  return (
    <Group gap={6} wrap="nowrap" align="flex-start" flex={1}>
      <NumberField
        key={locale}
        value={given.n}
        label={`${words.amount}: ${label}`}
        whole
        least={1}
        width={80}
        onChange={(next) => become({ n: next, unit })}
      />
      <NativeSelect
        aria-label={`${words.unit}: ${label}`}
        value={unit}
        flex={1}
        data={UNITS.map((each) => ({ value: each, label: units[each][n === 1 ? 0 : 1] }))}
        onChange={({ currentTarget }) => become({ n, unit: currentTarget.value })}
      />
    </Group>
  );
}

/** Today, this week, last month and so on. */
export function PeriodField({ value, label, onChange }: Edited) {
  const periods = useWords(PERIOD_WORDS);
  return (
    <NativeSelect
      aria-label={label}
      value={String(value ?? "")}
      flex={1}
      data={PERIODS.map((period) => ({ value: period, label: periods[period] }))}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}
