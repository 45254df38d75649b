import { useMemo } from "react";
import type { Dataset } from "../../../../src/contract/datasets/dataset.ts";
import type { Field } from "../../../../src/contract/fields/fields.ts";
import { TYPE_IN_FILTERS } from "../../../../src/contract/lists/column-types.ts";
import { useFields, useRead } from "../../api/queries.ts";
import { useMay } from "../../session/me.ts";
import { useWords } from "../../words/use-words.ts";
import { type AskField, type FieldType, OPERATORS } from "../model/operators.ts";
import type { Scope } from "../model/part.ts";
import { EVENT_FIELDS, ROW_FIELDS } from "../words/filter-words.ts";

const NOTHING: readonly never[] = [];

/** The project's datasets, for people who may see them. */
export function useAskDatasets(): readonly Dataset[] {
  const may = useMay("datasets:read");
  const { data } = useRead("datasets", "/v1/datasets", {
    query: { limit: 500 },
    enabled: may,
    staleTime: 60_000,
  });
  return data?.datasets ?? NOTHING;
}

const EVENT_TYPES: Readonly<Record<string, FieldType>> = {
  occurred_at: "date",
  recorded_at: "date",
  seconds_after_created: "number",
};

const isType = (type: string): type is FieldType => Object.hasOwn(OPERATORS, type);

/** A field of leads for conditions, with operators in our order; undefined for a field without any. */
function askFieldOf({ name, label, type, operators, options, custom }: Field): AskField[] {
  if (!isType(type) || operators.length === 0) return [];
  const usual = OPERATORS[type].filter((op) => operators.includes(op));
  const others = operators.filter((op) => !usual.includes(op));
  return [{ name, label, type, operators: [...usual, ...others], options, custom }];
}

const asked = (name: string, label: string, type: FieldType, options: readonly string[] | null = null) => ({
  name,
  label,
  type,
  operators: OPERATORS[type],
  options,
  custom: false,
});

/** The fields that conditions in this scope can use. */
export function useAskFields(scope: Scope): readonly AskField[] {
  const { data } = useFields();
  const datasets = useAskDatasets();
  const events = useWords(EVENT_FIELDS);
  const everyRow = useWords(ROW_FIELDS);
  const { of } = scope;
  const key = scope.of === "rows" ? scope.dataset : "";
  return useMemo(() => {
    if (of === "leads") return (data?.fields ?? []).flatMap(askFieldOf);
    if (of === "event")
      return Object.entries(events).map(([name, label]) => asked(name, label, EVENT_TYPES[name] ?? "text"));
    const columns = datasets.find((dataset) => dataset.key === key)?.columns ?? [];
    const own = columns.flatMap((column) => {
      const type = TYPE_IN_FILTERS[column.type];
      return isType(type)
        ? [asked(column.key, column.label, type, type === "enum" ? column.options : null)]
        : [];
    });
    const others = Object.entries(everyRow).map(([name, label]) =>
      asked(name, label, name.endsWith("id") ? "id" : "date"),
    );
    return columns.length === 0 ? [] : [...own, ...others];
  }, [of, key, data, datasets, events, everyRow]);
}
