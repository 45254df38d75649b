import { useRef, useState } from "react";
import type { ImportRecord, Mapping } from "../record/import-record.ts";
import { act, useAct } from "../record/use-import.ts";

/**
 * The mapping while it is edited: shown at once and kept by the service, one change after the other. One that fills
 * nothing is not sent; what was refused is said, and stays to be mended.
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
