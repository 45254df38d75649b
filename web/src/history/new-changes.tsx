import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, useApi } from "../api/queries.ts";
import { useLive } from "../live/use-live.ts";
import { useFormat } from "../words/format.ts";
import { useWords, type Words } from "../words/use-words.ts";
import styles from "./history.module.css";

const WORDS: Words<(count: number, written: string) => string> = {
  en: (count, written) => (count === 1 ? "1 new change" : `${written} new changes`),
  "pt-BR": (count, written) => (count === 1 ? "1 nova alteração" : `${written} novas alterações`),
};

const NONE: ReadonlySet<string> = new Set();

/** The number of changes since the list was read; a click reads them. `known` are those in the list. */
export function NewChanges({ known }: { known: ReadonlyMap<string, unknown> }) {
  const { projectId } = useApi();
  const queries = useQueryClient();
  const words = useWords(WORDS);
  const { number } = useFormat();
  const [found, setFound] = useState(NONE);
  const load = () => {
    setFound(NONE);
    void queries.invalidateQueries({ queryKey: keyOf(projectId, "changes", "list") });
  };
  useLive({
    event({ change_id: id }) {
      if (id !== null) setFound((all) => (all.has(id) ? all : new Set(all).add(id)));
    },
    restarted: load,
  });
  const count = [...found].filter((id) => !known.has(id)).length;
  return (
    <div role="status" className={styles.news}>
      {count > 0 && (
        <Button variant="light" size="compact-sm" onClick={load}>
          {words(count, number(count))}
        </Button>
      )}
    </div>
  );
}
