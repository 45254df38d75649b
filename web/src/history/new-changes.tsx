import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { keyOf, useApi } from "../api/queries.ts";
import type { LiveEvent } from "../live/stream/live-event.ts";
import { useLive } from "../live/use-live.ts";
import { useMe, useProject } from "../session/me.ts";
import { useFormat } from "../words/format.ts";
import { useWords, type Words } from "../words/use-words.ts";
import styles from "./history.module.css";
import type { HistoryAsked } from "./use-history.ts";

const WORDS: Words<{ some(count: number, written: string): string; maybe: string }> = {
  en: {
    some: (count, written) => (count === 1 ? "1 new change" : `${written} new changes`),
    maybe: "There may be new changes",
  },
  "pt-BR": {
    some: (count, written) => (count === 1 ? "1 nova alteração" : `${written} novas alterações`),
    maybe: "Pode haver novas alterações",
  },
};

interface Shown {
  /** The changes in the list. */
  known: ReadonlyMap<string, unknown>;
  /** The last one in the list; undefined if there are no earlier ones. */
  oldest: string | undefined;
  asked: HistoryAsked;
}

/** The number of changes of leads since the list was read, without it if there are filters; a click reads them. */
export function NewChanges({ known, oldest, asked }: Shown) {
  const { projectId } = useApi();
  const queries = useQueryClient();
  const words = useWords(WORDS);
  const { number } = useFormat();
  const mayMatch = useMayMatch(asked);
  const found = useRef(new Set<string>());
  const [count, setCount] = useState(0);
  useEffect(() => {
    for (const id of found.current) if (known.has(id)) found.current.delete(id);
    setCount(found.current.size);
  }, [known]);
  const load = () => {
    found.current.clear();
    setCount(0);
    void queries.invalidateQueries({ queryKey: keyOf(projectId, "changes", "list") });
  };
  useLive({
    event(event) {
      const { change_id: id } = event;
      if (id === null || found.current.has(id) || known.has(id) || !mayMatch(event)) return;
      // ids sort by time: a job that still runs began before what is shown
      if (oldest !== undefined && id < oldest) return;
      setCount(found.current.add(id).size);
    },
    restarted: load,
  });
  const isFiltered = Object.values(asked).some((value) => value.length > 0);
  return (
    <div role="status" className={styles.news}>
      {count > 0 && (
        <Button variant="light" size="compact-sm" onClick={load}>
          {isFiltered ? words.maybe : words.some(count, number(count))}
        </Button>
      )}
    </div>
  );
}

/** Whether the change of an event may pass the filters; an event does not tell everything that they ask about. */
function useMayMatch({ who, to, lead }: HistoryAsked): (event: LiveEvent) => boolean {
  const { person } = useMe();
  const { timezone } = useProject();
  return ({ lead_id, actor }) => {
    const isOthers = actor?.type === "person" && actor.id !== (who === "me" ? person.id : who);
    const today = new Date().toLocaleDateString("sv-SE", { timeZone: timezone });
    return (who === "" || !isOthers) && (to === "" || to >= today) && (lead === "" || lead === lead_id);
  };
}
