import { useMemo } from "react";
import type { Filter } from "../../../../src/contract/filters/filter.ts";
import { oneOf, text, useAddressState } from "../../address/use-address-state.ts";
import { useStatuses } from "../../api/queries.ts";
import { filterPiece } from "../../filter/model/filter-address.ts";
import { useProject } from "../../session/me.ts";
import { dayIn } from "../../words/zone-time.ts";
import type { Days, Interval } from "./days.ts";
import { allOf, becameWonIn, createdIn } from "./leads-of.ts";
import { type Outcomes, outcomesOf } from "./outcome.ts";
import { intervalsOf, PERIODS, type Period, periodOf } from "./period.ts";
import { isZone } from "./zone.ts";

const PIECES = {
  period: oneOf(PERIODS),
  from: text(),
  to: text(),
  zone: text(),
  by: oneOf(["usual", "day", "week", "month"]),
  show: oneOf(["chart", "table"]),
  filter: filterPiece,
};

/** What the dashboard shows: which leads, which days, and what their statuses mean. */
export interface Dashboard {
  period: Period;
  zone: string;
  interval: Interval;
  filter: Filter | undefined;
  statuses: readonly string[];
  /** Whether the statuses are loaded; figures that need them wait for it. */
  ready: boolean;
  outcomes: Outcomes;
  /** The leads of some days that match the filter. */
  leadsOf(days: Days, ...more: readonly (Filter | undefined)[]): Filter | undefined;
  /** The leads that became won in some days and match the filter. */
  wonIn(days: Days): Filter | undefined;
}

const NONE: readonly string[] = [];

/** The dashboard as its URL describes it. */
export function useDashboard() {
  const project = useProject();
  const [state, setState] = useAddressState(PIECES);
  const { data, isPending } = useStatuses();
  const statuses = data?.statuses ?? NONE;
  const meanings = data?.meanings ?? {};
  const zone = isZone(state.zone) ? state.zone : project.timezone;
  const today = dayIn(zone, Date.now());
  const key = JSON.stringify([state, today, zone, statuses, meanings, isPending, project.timezone]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key covers them all and keeps the object stable
  const dashboard = useMemo<Dashboard>(() => {
    const period = periodOf(state.period, today, state);
    const intervals = intervalsOf(period);
    return {
      period,
      zone,
      interval: intervals.find((each) => each === state.by) ?? intervals[0],
      filter: state.filter,
      statuses,
      ready: !isPending,
      outcomes: outcomesOf(meanings),
      leadsOf: (days, ...more) => allOf(createdIn(days, zone, project.timezone), ...more, state.filter),
      wonIn: (days) => allOf(becameWonIn(days, zone, project.timezone), state.filter),
    };
  }, [key]);

  return { dashboard, state, change: setState, today };
}
