import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { isOwnChange } from "../api/own-changes.ts";
import { keyOf, useApi } from "../api/queries.ts";
import { flash } from "../live/flash.ts";
import type { LiveEvent } from "../live/stream/live-event.ts";
import { useLive } from "../live/use-live.ts";
import { usePaced } from "../live/use-paced.ts";
import {
  type BoardLead,
  type BoardQuery,
  type Cards,
  isBoardLead,
  withCard,
  without,
} from "./board-cards.ts";
import { CARD_PARTS, selection, totalsKey } from "./use-board.ts";
import { keepFocus } from "./use-card-keys.ts";
import { movesKey } from "./use-move.ts";

const CARDS_MS = 250;
const TOTALS_MS = 1_000;
/** The most leads that are read by their ids; more of them, and the columns are read instead. */
const MOST_IDS = 100;

/** Moves, changes, adds and removes cards as colleagues change their leads, and counts again. */
export function useLiveBoard(query: BoardQuery): void {
  const { projectId, call } = useApi();
  const queries = useQueryClient();
  const events = useRef<LiveEvent[]>([]);
  const columns = keyOf(projectId, "leads", "board", query);

  const isBusy = () =>
    queries.isFetching({ queryKey: columns }) > 0 ||
    queries.isMutating({ mutationKey: movesKey(projectId) }) > 0;

  const askColumns = usePaced(TOTALS_MS, () => queries.invalidateQueries({ queryKey: columns }));
  const askTotals = usePaced(TOTALS_MS, () =>
    queries.invalidateQueries({ queryKey: totalsKey(projectId, query) }),
  );
  const askCards = usePaced(CARDS_MS, async () => {
    // what is being read or moved may be older than the events
    if (isBusy()) return askCards();
    const those = events.current.filter(({ change_id }) => !isOwnChange(change_id));
    events.current = [];
    const ids = [...new Set(those.map(({ lead_id }) => lead_id))];
    if (ids.length === 0) return;
    askTotals();
    if (ids.length > MOST_IDS) return askColumns();
    const body = {
      ...selection(query, { field: "id", op: "in", value: ids }),
      ...{ ...CARD_PARTS, limit: ids.length },
    };
    const putBack = () => events.current.unshift(...those);
    const { leads } = await call("POST", "/v1/leads/search", { body }).catch((error) => {
      putBack();
      throw error;
    });
    if (isBusy()) {
      putBack();
      return askCards();
    }
    put(ids, new Map(leads.filter(isBoardLead).map((card) => [card.id, card])));
  });

  /** Shows leads where they belong now; those that were not found are gone. */
  const put = (ids: readonly string[], found: ReadonlyMap<string, BoardLead>) => {
    const focused = document.activeElement?.closest<HTMLElement>("[data-card]")?.dataset.card;
    if (focused !== undefined && found.has(focused)) keepFocus(focused);
    for (const [key] of queries.getQueriesData<Cards>({ queryKey: columns })) {
      const status = key[4];
      queries.setQueryData<Cards>(key, (cards) => {
        if (cards === undefined) return cards;
        let now = cards;
        for (const id of ids) {
          const card = found.get(id);
          now =
            card !== undefined && card.status === status
              ? withCard(now, card, query.order)
              : without(now, id);
        }
        return now;
      });
    }
    flash([...found.keys()].map((id) => `[data-card="${id}"]`));
  };

  useLive({
    event(event) {
      events.current.push(event);
      askCards();
    },
    restarted() {
      events.current = [];
      askColumns();
      askTotals();
    },
  });
}
