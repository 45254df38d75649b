import { useRef, useState } from "react";
import type { ImportRecord, Mapping } from "../record/import-record.ts";
import { act, useAct } from "../record/use-import.ts";

/**
 * The mapping in the form. Each change is shown immediately and saved in order. A mapping without fields is not sent; a refused
 * one stays in the form to be corrected.
 */
export function useMapping(record: ImportRecord) {
  const save = useAct(record.id);
  const [mapping, setMapping] = useState<Mapping>(() => record.mapping ?? { columns: {} });
  const present = useRef(mapping);
  const edit = (to: (mapping: Mapping) => Mapping) => {
    present.current = to(present.current);
    setMapping(present.current);
    if (Object.keys(present.current.columns).length > 0) save.mutate(act.map(present.current));
  };
  return { mapping, edit, isSaving: save.isPending, isRefused: save.isError };
}
