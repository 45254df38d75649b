import { useRef, useState } from "react";
import type { Import } from "../../../../src/contract/imports/import.ts";
import type { ImportMapping } from "../../../../src/contract/imports/import-mapping.ts";
import { act, useAct } from "../record/use-import.ts";

/**
 * The mapping in the form. Each change is shown immediately and saved in order. A mapping without fields is not sent; a refused
 * one stays in the form to be corrected.
 */
export function useMapping(record: Import) {
  const save = useAct(record.id);
  const [mapping, setMapping] = useState<ImportMapping>(() => record.mapping ?? { columns: {} });
  const present = useRef(mapping);
  const edit = (to: (mapping: ImportMapping) => ImportMapping) => {
    present.current = to(present.current);
    setMapping(present.current);
    if (Object.keys(present.current.columns).length > 0) save.mutate(act.map(present.current));
  };
  return { mapping, edit, isSaving: save.isPending, isRefused: save.isError };
}
