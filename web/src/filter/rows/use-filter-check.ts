import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Fault } from "../../../../src/contract/basics/problem.ts";
import type { RowSearch } from "../../../../src/contract/datasets/row-query.ts";
import type { Filter } from "../../../../src/contract/filters/filter.ts";
import type { CountedLeads as Counted } from "../../../../src/contract/leads/figures.ts";
import { ApiError } from "../../api/api-error.ts";
import { type Api, keyOf, useApi } from "../../api/queries.ts";
import { isFilter, isRowFilter } from "../../records/lead-query.ts";
import { useLocale } from "../../words/use-words.ts";
import type { AnyFilter } from "../model/filter.ts";

/** What a filter means and how many leads it finds; the old count stays while the new one loads (`stale`). */
export interface FilterCheck {
  sentence: string | null;
  /** Undefined until the errors are known. */
  faults: readonly Fault[] | undefined;
  count: Counted | undefined;
  stale: boolean;
  error: unknown;
}

const PAUSE = 250;

/** Not sent: without a filter nothing is checked. */
const EVERYBODY: Filter = { and: [] };

/**
 * Requests the filter's meaning and its number of leads, 250 ms after its last change: two requests at once, which
 * cancel those for an older filter; with `deleted`, the number of deleted leads. For rows of a dataset only the count is requested, which returns the errors too.
 */
export function useFilterCheck(
  filter: AnyFilter | undefined,
  search: string,
  dataset?: string,
  deleted = false,
): FilterCheck {
  const { projectId, call } = useApi();
  const locale = useLocale();
  const text = JSON.stringify([filter ?? null, search, deleted]);
  const [settled] = useDebouncedValue(text, PAUSE);
  const asked = settled === text;
  const ofLeads = isFilter(filter) ? filter : undefined;
  const ofRows = isRowFilter(filter) ? filter : undefined;
  const validation = useQuery({
    queryKey: keyOf(projectId, "leads", "filter check", locale, settled),
    queryFn: ({ signal }) =>
      call("POST", "/v1/leads/filters/validate", { body: { filter: ofLeads ?? EVERYBODY, locale }, signal }),
    enabled: asked && filter !== undefined && dataset === undefined,
    placeholderData: keepPreviousData,
  });
  const count = useQuery({
    queryKey:
      dataset === undefined
        ? keyOf(projectId, "leads", "filter count", settled)
        : keyOf(projectId, "rows", dataset, "filter count", settled),
    queryFn: ({ signal }) => {
      const words = search === "" ? {} : { search };
      if (dataset !== undefined)
        return countRows(call, dataset, { ...(ofRows && { filter: ofRows }), ...words }, signal);
      const body = { ...(ofLeads && { filter: ofLeads }), ...words, ...(deleted && { deleted }) };
      return call("POST", "/v1/leads/count", { body, signal });
    },
    enabled: asked,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const known = asked && !validation.isPlaceholderData ? validation.data : undefined;
  if (dataset !== undefined) {
    const refused = count.error instanceof ApiError && count.error.status === 400 ? count.error : undefined;
    return {
      sentence: null,
      faults: refused?.details ?? (count.isSuccess && asked ? [] : undefined),
      count: count.data,
      stale: !asked || count.isPlaceholderData || count.isFetching,
      error: refused === undefined ? count.error : null,
    };
  }
  return {
    sentence: filter === undefined ? null : (validation.data?.sentence ?? null),
    faults: filter === undefined ? [] : known?.errors,
    count: count.data,
    stale: !asked || count.isPlaceholderData || count.isFetching,
    error: known?.valid === false ? null : (validation.error ?? count.error),
  };
}

/** The number of dataset rows that match a filter and words; exact up to 10,000. */
export async function countRows(
  call: Api["call"],
  dataset: string,
  asked: RowSearch,
  signal: AbortSignal,
): Promise<Counted> {
  const body: RowSearch = { ...asked, limit: 1, columns: ["_id"], total: "bounded" };
  const params = { id: dataset };
  const found = await call("POST", "/v1/datasets/{id}/query", { params, body, signal });
  return { count: found.total ?? 0, relation: found.total_relation ?? "eq" };
}
