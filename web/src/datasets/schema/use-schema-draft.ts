import { useEffect, useMemo, useRef } from "react";
import type { Dataset } from "../../../../src/contract/datasets/dataset.ts";
import { useDraft } from "../../drafts/use-draft.ts";
import { sameValue } from "../../records/value.ts";
import { useWords } from "../../words/use-words.ts";
import { rebased, type TypedSchema } from "./rebase.ts";
import { type DatasetDraft, draftOf, patchOf } from "./schema.ts";
import { SCHEMA_WORDS } from "./schema-words.ts";
import { useChangeDataset } from "./use-change-dataset.ts";

/**
 * What is typed about a dataset and not saved, and its saving. A screen with tabs calls it outside of them: a hidden tab
 * keeps its state but runs no effects, and leaving would not ask.
 */
export function useSchemaDraft(dataset: Dataset) {
  const words = useWords(SCHEMA_WORDS);
  const { change } = useChangeDataset();
  const { reset } = change;
  const [kept, setTyped, { drop }] = useDraft<TypedSchema | null>(`schema/${dataset.id}`, null);
  // Compares content, not versions: a refused change also raises the version.
  const stored = useMemo(() => draftOf(dataset), [dataset]);
  const typed = kept === null ? null : rebased(kept, stored, words);
  const draft = typed?.draft ?? stored;
  const changes = typed === null ? undefined : patchOf(dataset, draft);
  const known = useRef<DatasetDraft>(null);
  const isStored = typed !== null && changes === undefined;
  useEffect(() => {
    if (sameValue(known.current, stored)) return;
    known.current = stored;
    // a save whose answer was lost, or a colleague who changed the same
    if (!isStored) return;
    reset();
    drop();
  }, [stored, isStored, drop, reset]);
  return {
    change,
    draft,
    /** Undefined if saving would change nothing. */
    changes,
    isUnsaved: typed !== null,
    joined: typed?.joined === true ? typed.both : undefined,
    set(next: DatasetDraft) {
      if (sameValue(next, stored)) drop();
      else setTyped({ ...(typed ?? { seen: stored, joined: false, both: [] }), draft: next });
    },
    drop,
  };
}

export type SchemaDraft = ReturnType<typeof useSchemaDraft>;
