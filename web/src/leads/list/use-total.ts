import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { Filter } from "../../../../src/contract/filters/filter.ts";
import type { CountedLeads } from "../../../../src/contract/leads/figures.ts";
import { keyOf, useApi } from "../../api/queries.ts";

/** In projects with more leads, only the number of all leads is exact: it is read from an index. */
const MOST_READ = 200_000;

const PATH = "/v1/leads/count";

/** Which leads to count. */
interface Counted {
  filter?: Filter;
  search?: string;
  deleted?: boolean;
}

/**
 * The number of leads. A number over the service's bound follows exactly if that is cheap, `later`: when the leads
 * themselves are shown.
 */
export function useTotal(asked: Counted, { ready, later }: { ready: boolean; later: boolean }) {
  const { projectId, call } = useApi();
  const total = useQuery({
    queryKey: keyOf(projectId, "leads", "total", asked),
    queryFn: ({ signal }) => call("POST", PATH, { body: asked, signal }),
    placeholderData: keepPreviousData,
    enabled: ready,
  });
  const isBound = ready && later && !total.isPlaceholderData && total.data?.relation === "gte";
  const isAll = asked.filter === undefined && (asked.search ?? "") === "" && asked.deleted !== true;
  const all = useExact({}, isBound);
  const some = useExact(asked, isBound && !isAll && (all ?? Number.POSITIVE_INFINITY) <= MOST_READ);
  const count = isAll ? all : some;
  const data: CountedLeads | undefined =
    isBound && count !== undefined ? { count, relation: "eq" } : total.data;
  return { ...total, data };
}

/** The exact number of leads; undefined until it is known, and if counting took too long. */
function useExact(asked: Counted, enabled: boolean): number | undefined {
  const { projectId, call } = useApi();
  const { data } = useQuery({
    queryKey: keyOf(projectId, "leads", "exact total", asked),
    queryFn: ({ signal }) => call("POST", PATH, { body: { ...asked, exact: true }, signal }),
    staleTime: 60_000,
    retry: false,
    enabled,
  });
  return enabled ? data?.count : undefined;
}
