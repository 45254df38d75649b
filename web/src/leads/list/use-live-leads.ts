import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useCallback, useRef } from "react";
import type { FieldName } from "../../../../src/contract/filters/field-names.ts";
import { isOwnChange } from "../../api/own-changes.ts";
import { keyOf, useApi } from "../../api/queries.ts";
import { asked, both } from "../../filter/model/filter.ts";
import { flash } from "../../live/flash.ts";
import type { LiveEvent } from "../../live/stream/live-event.ts";
import { useLive } from "../../live/use-live.ts";
import { usePaced } from "../../live/use-paced.ts";
import { changedFields } from "../../records/lead-changes.ts";
import { isListed, type ListedLead } from "../../records/listed-lead.ts";
import { cellId } from "../../table/cell.ts";
import { type LeadPages, pageAgain, pagesOf, withLeads } from "./live-pages.ts";
import { pagesKey, searchOf } from "./use-lead-pages.ts";
import type { LeadsQuery } from "./use-leads-query.ts";

const ROWS_MS = 250;
const LIST_MS = 1_000;
/** Exact counts of many leads take seconds. */
const EXACT_TOTAL_MS = 10_000;
/** The most leads that are read by their ids; more of them, and the list is read instead. */
const MOST_IDS = 100;
/** How many leads a page may have got between those it had. */
const MORE = 50;
const MOST_ON_PAGE = 500;

const JOINS = new Set(["lead.created", "lead.restored"]);
const JOINS_DELETED = new Set(["lead.deleted"]);

/**
 * Keeps a list of leads up to date. Changed leads that are loaded are read together by their ids; the visible pages are
 * read again for leads that join. Returns a function that takes the range of visible rows.
 */
export function useLiveLeads(
  query: LeadsQuery,
  from: "start" | "end",
  fields: RefObject<readonly FieldName[]>,
): (first: number, last: number) => void {
  const { projectId, call } = useApi();
  const queries = useQueryClient();
  const key = pagesKey(projectId, query, from);
  const events = useRef<LiveEvent[]>([]);
  const range = useRef<readonly [number, number]>([0, 0]);
  /** The pages that may lack leads, of the list with this key. */
  const lacking = useRef({ key: "", pages: new Set<number>() });

  const isBusy = (of: QueryKey) => queries.getQueryState(of)?.fetchStatus === "fetching";

  const askRows = usePaced(ROWS_MS, async () => {
    const data = queries.getQueryData<LeadPages>(key);
    // what is being read may be older than the events
    if (data === undefined || isBusy(key)) return void (events.current.length > 0 && askRows());
    const those = events.current.filter(({ change_id }) => !isOwnChange(change_id));
    events.current = [];
    if (those.length === 0) return;
    const isFiltered = query.filter !== undefined || query.search.trim() !== "";
    const shown = new Map(data.pages.flatMap(({ leads }) => leads.map((lead) => [lead.id, lead] as const)));
    const ids = [...new Set(those.map(({ lead_id }) => lead_id))].filter((id) => isFiltered || shown.has(id));
    let isMoved = those.some((event) => joins(event, shown.has(event.lead_id), query));
    if (ids.length > MOST_IDS) isMoved = true;
    else if (ids.length > 0) {
      const filter = both(query.filter, { field: "id", op: "in", value: ids });
      const body = { ...asked({ ...query, filter }), fields: [...fields.current], limit: ids.length };
      const putBack = () => events.current.unshift(...those);
      const { leads } = await call("POST", "/v1/leads/search", { body }).catch((error) => {
        putBack();
        throw error;
      });
      if (isBusy(key)) {
        putBack();
        return askRows();
      }
      const found = new Map(leads.filter(isListed).map((lead) => [lead.id, lead]));
      const gone = new Set(ids.filter((id) => shown.has(id) && !found.has(id)));
      if ([...found.keys()].some((id) => !shown.has(id)) || gone.size > 0) isMoved = true;
      queries.setQueryData<LeadPages>(key, (now) => now && withLeads(now, found, gone));
      flash(cellsOf(shown, found));
    }
    if (isMoved) lackAll();
  });

  const askList = usePaced(LIST_MS, () => readVisible());
  const askTotal = usePaced(LIST_MS, () => countAgain("total"));
  const askExactTotal = usePaced(EXACT_TOTAL_MS, () => countAgain("exact total"));

  /** Counts again, after the counts that are running: they may not include the last leads. */
  const countAgain = async (noun: string) => {
    const filters = { queryKey: keyOf(projectId, "leads", noun) };
    const isRunning = queries.isFetching(filters) > 0;
    await queries.invalidateQueries(filters, { cancelRefetch: false });
    if (isRunning) await queries.invalidateQueries(filters, { cancelRefetch: false });
  };

  const askCounts = () => {
    askTotal();
    askExactTotal();
  };

  const lackAll = () => {
    const count = queries.getQueryData<LeadPages>(key)?.pages.length ?? 0;
    lacking.current = { key: JSON.stringify(key), pages: new Set(Array(count).keys()) };
    askList();
    askCounts();
  };

  /** Reads the visible pages again that may lack leads; all pages if they do not join any more. */
  const readVisible = async () => {
    const data = queries.getQueryData<LeadPages>(key);
    const { current } = lacking;
    // backwards from the end, new leads would push the visible rows away
    if (data === undefined || current.key !== JSON.stringify(key) || from === "end") return;
    if (isBusy(key)) return askList();
    for (const index of pagesOf(data, range.current)) {
      const old = data.pages[index];
      if (old === undefined || !current.pages.has(index)) continue;
      const cursor = data.pageParams[index] ?? null;
      const limit = Math.min(MOST_ON_PAGE, Math.max(old.leads.length, MORE) + MORE);
      const body = {
        ...searchOf(query, from),
        fields: [...fields.current],
        limit,
        ...(cursor !== null && { cursor }),
      };
      const { leads, next_cursor } = await call("POST", "/v1/leads/search", { body });
      current.pages.delete(index);
      const page = pageAgain(old, leads.filter(isListed), next_cursor);
      const now = queries.getQueryData<LeadPages>(key);
      if (page === undefined || isBusy(key) || now?.pages.length !== data.pages.length)
        return void (await queries.invalidateQueries({ queryKey: key, exact: true }));
      queries.setQueryData<LeadPages>(key, { ...now, pages: now.pages.with(index, page) });
    }
  };

  useLive({
    event(event) {
      events.current.push(event);
      askRows();
    },
    restarted() {
      events.current = [];
      void queries.invalidateQueries({ queryKey: keyOf(projectId, "leads", "table") });
      askCounts();
    },
  });

  const see = useRef<(first: number, last: number) => void>(undefined);
  const onSee = (first: number, last: number) => {
    range.current = [first, last];
    const { pages } = lacking.current;
    const data = pages.size === 0 ? undefined : queries.getQueryData<LeadPages>(key);
    if (data !== undefined && pagesOf(data, range.current).some((index) => pages.has(index))) askList();
  };
  see.current = onSee;
  return useCallback((first, last) => see.current?.(first, last), []);
}

/** Whether an event may bring a lead into the list, or move it there. */
function joins(
  { type, changes }: LiveEvent,
  isShown: boolean,
  { filter, search, sort, deleted }: LeadsQuery,
): boolean {
  const isFiltered = filter !== undefined || search.trim() !== "";
  if (!isFiltered && (deleted ? JOINS_DELETED : JOINS).has(type)) return true;
  if (!isShown && isFiltered) return false;
  return changes.some(({ field }) => sort.some((each) => each.field === field));
}

/** The cells that show another value now. */
const cellsOf = (before: ReadonlyMap<string, ListedLead>, after: ReadonlyMap<string, ListedLead>): string[] =>
  [...after].flatMap(([id, lead]) => {
    const old = before.get(id);
    const fields = old === undefined ? [] : changedFields(old, lead);
    const cells = fields.map((field) => `[id="${cellId(id, field)}"]`);
    return fields.length === 0 ? [] : [...cells, `[data-card="${id}"]`];
  });
