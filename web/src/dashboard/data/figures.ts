import { keepPreviousData, type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { Filter } from "../../../../src/contract/filters/filter.ts";
import type { LeadAggregation } from "../../../../src/contract/leads/aggregation.ts";
import { keyOf, useApi } from "../../api/queries.ts";
import { groupsOf } from "../../records/groups.ts";
import type { Dashboard } from "./use-dashboard.ts";

/** The most groups that the service returns. */
const MOST = 1_000;

/**
 * Requests one figure. A new request cancels the old one, whose figures stay visible, paler, until the new ones
 * arrive. Four are requested at once (statuses and days), the others after them, so that something can be read
 * early even with very many leads.
 */
function useFigure<T>(
  path: string,
  body: object,
  read: (signal: AbortSignal) => Promise<T>,
  enabled = true,
): UseQueryResult<T> {
  const { projectId } = useApi();
  return useQuery<T>({
    queryKey: keyOf(projectId, "leads", "dashboard", path, JSON.stringify(body)),
    queryFn: ({ signal }) => read(signal),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    enabled,
  });
}

const SUMS: NonNullable<LeadAggregation["metrics"]> = [{ op: "count" }, { op: "sum", field: "value" }];

const filtered = (filter: Filter | undefined, timezone: string) => ({
  ...(filter === undefined ? {} : { filter }),
  timezone,
});

function useGroups(
  { zone }: Dashboard,
  filter: Filter | undefined,
  group_by: NonNullable<LeadAggregation["group_by"]>,
  sums = false,
  enabled = true,
) {
  const { call } = useApi();
  const path = "/v1/leads/aggregate";
  const body = { ...filtered(filter, zone), group_by, ...(sums && { metrics: SUMS }), limit: MOST };
  return useFigure(
    path,
    body,
    async (signal) => groupsOf(await call("POST", path, { body, signal })),
    enabled,
  );
}

export const useStatusFigures = (of: Dashboard, days: "now" | "before") =>
  useGroups(of, of.leadsOf(daysOf(of, days)), [{ field: "status" }, { field: "currency" }], true);

export const useSeries = (of: Dashboard, days: "now" | "before") =>
  useGroups(of, of.leadsOf(daysOf(of, days)), [{ field: "created_at", interval: of.interval }]);

/** Whether the first figure has loaded or failed; then the others are requested. */
function useFirst(of: Dashboard): boolean {
  const { isPending, isPlaceholderData } = useStatusFigures(of, "now");
  return !isPending && !isPlaceholderData;
}

/** Groups the leads by a text field such as the source, optionally with another filter. */
export const useTexts = (of: Dashboard, field: "source" | "campaign", only?: Filter, enabled = true) =>
  useGroups(of, of.leadsOf(of.period, only), [{ field, alike: true }], false, useFirst(of) && enabled);

export const useOwners = (of: Dashboard, open: Filter | undefined) =>
  useGroups(
    of,
    of.leadsOf(of.period, open),
    [{ field: "owner_id" }, { field: "currency" }],
    true,
    useFirst(of) && of.ready,
  );

export function useResponses(of: Dashboard, days: "now" | "before", within: readonly number[]) {
  const { call } = useApi();
  const path = "/v1/leads/response-times";
  const asked = filtered(of.leadsOf(daysOf(of, days)), of.zone);
  const body = days === "now" ? { ...asked, within } : asked;
  return useFigure(path, body, (signal) => call("POST", path, { body, signal }), useFirst(of));
}

/** How many leads became won. */
export function useBecameWon(of: Dashboard, days: "now" | "before") {
  const { call } = useApi();
  const path = "/v1/leads/count";
  const body = { ...filtered(of.wonIn(daysOf(of, days)), of.zone), exact: true };
  return useFigure(path, body, (signal) => call("POST", path, { body, signal }), useFirst(of));
}

/** Whether the project has any leads at all; only requested if the period has none. */
export function useAnyLead(enabled: boolean) {
  const { call } = useApi();
  const path = "/v1/leads/count";
  return useFigure(path, {}, (signal) => call("POST", path, { body: {}, signal }), enabled);
}

const daysOf = ({ period }: Dashboard, days: "now" | "before") => (days === "now" ? period : period.before);
