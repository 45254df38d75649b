import { useCallback } from "react";
import type { ChangeRecord } from "../../../src/contract/nouns/change.ts";
import { useDatasets } from "../datasets/model/use-datasets.ts";
import { useProjectSchema } from "../records/project-schema.ts";
import { useWords, type Words } from "../words/use-words.ts";

/** The parts of definitions of fields and statuses. */
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
  },
};

type Of = Pick<ChangeRecord, "kind" | "dataset_id">;

/** Returns a function that names what changed of a record: a field of a lead, a column of a row, a part of a definition. */
export function useLabel(): (record: Of, field: string) => string {
  const { fields } = useProjectSchema();
  const parts = useWords(PARTS);
  const { data } = useDatasets();
  return useCallback(
    ({ kind, dataset_id: dataset }, field) => {
      if (kind === "lead") return fields.get(field)?.label ?? field;
      if (kind !== "row") return parts[field] ?? field;
      const columns = data?.datasets.find(({ id }) => id === dataset)?.columns;
      return columns?.find(({ key }) => key === field)?.label ?? field;
    },
    [fields, parts, data],
  );
}
