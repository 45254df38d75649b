import { useState } from "react";
import type { Meaning } from "../../../src/contract/lists/figures.ts";
import { useWords } from "../words/use-words.ts";
import { DeleteStatus } from "./delete-status.tsx";
import { StatusRow } from "./status-row.tsx";
import { STATUS_WORDS } from "./status-words.ts";
import styles from "./statuses.module.css";
import { useStatusCounts } from "./use-status-counts.ts";

/** The statuses in order, each with what it means and its number of leads. */
export function StatusList(list: {
  statuses: readonly string[];
  meanings: Readonly<Record<string, Meaning>>;
  mayChange: boolean;
}) {
  const { statuses, mayChange } = list;
  const words = useWords(STATUS_WORDS);
  const counts = useStatusCounts();
  const [leaving, setLeaving] = useState<string>();
  return (
    <>
      <ol className={styles.list} aria-label={words.list}>
        {statuses.map((status) => (
          <StatusRow
            key={status}
            status={status}
            statuses={statuses}
            meaning={list.meanings[status] ?? "open"}
            count={counts === undefined ? undefined : (counts.get(status) ?? 0)}
            mayChange={mayChange}
            onDelete={() => setLeaving(status)}
          />
        ))}
      </ol>
      {leaving !== undefined && (
        <DeleteStatus
          status={leaving}
          statuses={statuses}
          count={counts?.get(leaving) ?? 0}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </>
  );
}
