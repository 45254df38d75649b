import { useCallback } from "react";
import type { ChangeRecord } from "../../../src/contract/changes/change.ts";
import type { Column } from "../../../src/contract/datasets/dataset.ts";
import { useDatasets } from "../datasets/model/use-datasets.ts";
import { useProjectSchema } from "../records/project-schema.ts";
import { useWords, type Words } from "../words/use-words.ts";

/** The parts of definitions of fields, statuses and views. */
const PARTS: Words<Readonly<Record<string, string>>> = {
  en: {
    label: "Label",
    type: "Type",
    options: "Options",
    description: "Description",
    timeline: "Shown on timelines",
    indexed: "Index",
    position: "Position",
    key: "Key",
    statuses: "Statuses",
    fields: "Fields",
    name: "Name",
    filter: "Filter",
    search: "Search",
    sort: "Order",
    columns: "Columns",
    timezone: "Time zone",
  },
  "pt-BR": {
    label: "Rótulo",
    type: "Tipo",
    options: "Opções",
    description: "Descrição",
    timeline: "Nas linhas do tempo",
    indexed: "Índice",
    position: "Posição",
    key: "Chave",
    statuses: "Status",
    fields: "Campos",
    name: "Nome",
    filter: "Filtro",
    search: "Busca",
    sort: "Ordem",
    columns: "Colunas",
    timezone: "Fuso horário",
  },
};

type Of = Pick<ChangeRecord, "kind" | "dataset_id">;

/** Returns a function that finds the column of a row's value; there is none for other records, and once it is gone. */
export function useColumnOf(): (record: Of, field: string) => Column | undefined {
  const { data } = useDatasets();
  return useCallback(
    ({ kind, dataset_id: dataset }, field) =>
      kind === "row"
        ? data?.datasets.find(({ id }) => id === dataset)?.columns.find(({ key }) => key === field)
        : undefined,
    [data],
  );
}

/** Returns a function that names what changed of a record: a field of a lead, a column of a row, a part of a definition. */
export function useLabel(): (record: Of, field: string) => string {
  const { fields } = useProjectSchema();
  const parts = useWords(PARTS);
  const columnOf = useColumnOf();
  return useCallback(
    (record, field) => {
      if (record.kind === "lead") return fields.get(field)?.label ?? field;
      if (record.kind === "row") return columnOf(record, field)?.label ?? field;
      return parts[field] ?? field;
    },
    [fields, parts, columnOf],
  );
}
