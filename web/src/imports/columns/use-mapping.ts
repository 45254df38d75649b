import { useRef, useState } from "react";
import type { Import } from "../../../../src/contract/imports/import.ts";
import type { ImportMapping } from "../../../../src/contract/imports/import-mapping.ts";
import { act, useAct } from "../record/use-import.ts";

type Edit = (mapping: ImportMapping) => ImportMapping;

const NOTHING: ImportMapping = { columns: {} };
const edited = (mapping: ImportMapping | null | undefined, edits: readonly Edit[]): ImportMapping =>
  edits.reduce((now, edit) => edit(now), mapping ?? NOTHING);

/**
 * The mapping in the form: the stored one with the edits that are not saved yet. Each is shown immediately and saved in order,
 * on top of what answers to questions changed meanwhile. A mapping without fields is not sent; a refused one stays in the form to
 * be corrected.
 */
export function useMapping(record: Import) {
  const [edits, setEdits] = useState<readonly Edit[]>([]);
  const unsaved = useRef(edits);
  const sent = useRef(0);
  const keep = (next: readonly Edit[]) => {
    unsaved.current = next;
    setEdits(next);
  };
  const save = useAct(record.id, () => keep(unsaved.current.slice(sent.current)));
  const edit = (to: Edit) => {
    keep([...unsaved.current, to]);
    save.mutate(async (call, params, present = record) => {
      sent.current = 0;
      const mapping = edited(present.mapping, unsaved.current);
      // an earlier request has sent this edit, too
      if (unsaved.current.length === 0 || Object.keys(mapping.columns).length === 0) return present;
      const count = unsaved.current.length;
      const saved = await act.map(mapping)(call, params, present);
      sent.current = count;
      return saved;
    });
  };
  return { mapping: edited(record.mapping, edits), edit, isSaving: save.isPending, isRefused: save.isError };
}
