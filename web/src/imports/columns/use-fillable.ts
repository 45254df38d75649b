import { useMemo } from "react";
import type { Import } from "../../../../src/contract/imports/import.ts";
import { OPT_OUT_FIELDS, SHARED_FIELDS } from "../../../../src/contract/lists/opt-outs.ts";
import { useFields, useRead } from "../../api/queries.ts";
import { useDatasets } from "../../datasets/model/use-datasets.ts";
import { useWords } from "../../words/use-words.ts";
import { COLUMN_WORDS } from "./column-words.ts";

/** A field that a column can fill, with its label. */
export interface Fillable {
  name: string;
  label: string;
  type: string;
  options: readonly string[];
  custom: boolean;
  /** Whether several columns can fill it. */
  shared: boolean;
  /** Whether it says who opted out. */
  isOptOut: boolean;
}

/** The fields that an import's columns can fill, by name. */
export function useFillable(record: Import) {
  const words = useWords(COLUMN_WORDS);
  const given = useRead("imports", "/v1/imports/{id}/fields", { params: { id: record.id } });
  const ofLeads = useFields();
  const datasets = useDatasets();
  const fields = useMemo(() => {
    const labels = new Map<string, string>([
      ["id", words.id],
      ["_id", words.rowId],
    ]);
    if (record.dataset === null)
      labels.set("opt_out", words.optOut).set("opt_out_at", words.optOutAt).set("note", words.noteField);
    const dataset = datasets.data?.datasets.find(({ id }) => id === record.dataset?.id);
    for (const { key, label } of dataset?.columns ?? []) labels.set(key, label);
    if (record.dataset === null)
      for (const { name, label } of ofLeads.data?.fields ?? []) if (name !== "id") labels.set(name, label);
    for (const [key, { label }] of Object.entries(record.mapping?.fields ?? {}))
      if (!labels.has(`custom.${key}`)) labels.set(`custom.${key}`, words.willBeNew(label));
    const known = given.data?.fields ?? [];
    // An answer can add fields that were not there when the fields were read.
    const added = Object.entries(record.mapping?.fields ?? {}).flatMap(([key, { type, options = [] }]) =>
      known.some(({ name }) => name === `custom.${key}`) ? [] : [{ name: `custom.${key}`, type, options }],
    );
    return new Map<string, Fillable>(
      [...known, ...added].map((field) => [
        field.name,
        {
          ...field,
          label: labels.get(field.name) ?? spoken(field.name),
          custom: field.name.startsWith("custom."),
          shared: record.dataset === null && SHARED_FIELDS.has(field.name),
          isOptOut: record.dataset === null && OPT_OUT_FIELDS.has(field.name),
        },
      ]),
    );
  }, [given.data, ofLeads.data, datasets.data, record.dataset, record.mapping, words]);
  return { fields, error: given.error, isPending: given.isPending, refetch: given.refetch };
}

function spoken(name: string): string {
  const plain = name.replace(/^custom\./, "").replaceAll("_", " ");
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
