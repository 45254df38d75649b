import { type Query, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { ApiError } from "../api/api-error.ts";
import { keyOf, useApi } from "../api/queries.ts";
import { useDone } from "../changes/use-done.ts";
import { failed } from "../parts/toast.ts";
import { useProject } from "../session/me.ts";
import { useLocale, useWords } from "../words/use-words.ts";
import {
  type BoardLead,
  type BoardQuery,
  type Cards,
  type ColumnTotals,
  movedTotals,
  withCard,
  without,
} from "./board-cards.ts";
import { BOARD_WORDS } from "./board-words.ts";
import { columnKey, totalsKey } from "./use-board.ts";
import { keepFocus } from "./use-card-keys.ts";

/** The key of the moves that are on their way. */
export const movesKey = (projectId: string): readonly string[] => ["board", projectId];

interface Move {
  card: BoardLead;
  to: string;
}

/**
 * Moves cards between statuses: shown immediately, reverted if the service refuses, with an undo. Moves are sent one
 * after another, each with the version that the one before returned.
 */
export function useMove(query: BoardQuery): (move: Move) => void {
  const { projectId, call, write: send } = useApi();
  const { currency } = useProject();
  const done = useDone();
  const queries = useQueryClient();
  const words = useWords(BOARD_WORDS);
  const locale = useLocale();
  const versions = useRef(new Map<string, number>());

  const show = async (card: BoardLead, from: string, to: string) => {
    const [source, target] = [columnKey(projectId, query, from), columnKey(projectId, query, to)];
    const totals = totalsKey(projectId, query);
    await Promise.all([source, target, totals].map((queryKey) => queries.cancelQueries({ queryKey })));
    keepFocus(card.id);
    queries.setQueryData<Cards>(source, (cards) => cards && without(cards, card.id));
    queries.setQueryData<Cards>(target, (cards) => cards && withCard(cards, card, query.order));
    queries.setQueryData<ColumnTotals>(
      totals,
      (all) => all && movedTotals(all, card, { from, to, currency }),
    );
  };

  const write = async ({ card, to }: Move) => {
    const params = { id: card.id };
    const change = (ifMatch: number) =>
      send("PATCH", "/v1/leads/{id}", { params, body: { status: to }, ifMatch });
    try {
      return await change(Math.max(card.version, versions.current.get(card.id) ?? 0));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 412) throw error;
      // other changes of the lead do not conflict with the move; another status does
      const now = await call("GET", "/v1/leads/{id}", { params });
      // an earlier attempt whose answer was lost
      if (now.status === to) return { answer: now, change: null };
      if (now.status !== card.status) throw error;
      return await change(now.version);
    }
  };

  const mutationKey = movesKey(projectId);
  const mutation = useMutation({
    mutationKey,
    scope: { id: `board ${projectId}` },
    mutationFn: write,
    onMutate: ({ card, to }) => show({ ...card, status: to, status_since: now() }, card.status, to),
    async onSuccess({ answer: lead, change }, { card, to }) {
      versions.current.set(card.id, lead.version);
      const moved: BoardLead = { ...card, ...pick(lead), status: to, status_since: now() };
      queries.setQueryData<Cards>(columnKey(projectId, query, to), (cards) =>
        cards?.pages.some((page) => page.leads.some(({ id }) => id === card.id))
          ? withCard(cards, moved, query.order)
          : cards,
      );
      void queries.invalidateQueries({ queryKey: keyOf(projectId, "leads"), refetchType: "none" });
      done(sentence(words.moved, to), change);
    },
    async onError(error, move) {
      const { card, to } = move;
      await show(card, to, card.status);
      failed(locale, error, { stale: words.changed, not_found: words.gone }, () => mutation.mutate(move));
      if (error instanceof ApiError && [404, 412].includes(error.status))
        void queries.invalidateQueries({ queryKey: keyOf(projectId, "leads") });
    },
    onSettled() {
      if (queries.isMutating({ mutationKey }) > 1) return;
      void queries.invalidateQueries({ queryKey: totalsKey(projectId, query) });
      // those whose first load the move cancelled
      const isEmpty = ({ state }: Query) => state.data === undefined;
      const queryKey = keyOf(projectId, "leads", "board");
      void queries.refetchQueries({ queryKey, type: "active", predicate: isEmpty });
    },
  });
  return (move) => {
    if (move.card.status !== move.to) mutation.mutate(move);
  };
}

const now = (): string => new Date().toISOString();

/** The fields that a change of status may change too. */
const pick = ({ version }: Pick<BoardLead, "version">): Pick<BoardLead, "version"> => ({ version });

/** The status isolated from the text direction around it. */
const sentence = (verb: string, status: string): string => `${verb} \u2068${status}\u2069`;
