import { useCallback, useEffect, useMemo } from "react";
import type { Filter } from "../../../../src/contract/filters/filter.ts";
import { list, oneOf, text, useAddressState } from "../../address/use-address-state.ts";
import { useStatuses } from "../../api/queries.ts";
import { filterPiece } from "../../filter/model/filter-address.ts";
import { useMe, useProject } from "../../session/me.ts";
import { dayIn } from "../../words/zone-time.ts";
import type { Days, Interval } from "./days.ts";
import { allOf, createdIn } from "./leads-of.ts";
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
  won: list(),
  lost: list(),
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
}

const NONE: readonly string[] = [];

/** The dashboard as its URL describes it. */
export function useDashboard() {
  const project = useProject();
  const { person } = useMe();
  const [state, setState] = useAddressState(PIECES);
  const { data, isPending } = useStatuses();
  const statuses = data?.statuses ?? NONE;
  const zone = isZone(state.zone) ? state.zone : project.timezone;
  const today = dayIn(zone, Date.now());
  const kept = `leadgate.dashboard.${person.id}.${project.id}`;

  // keep the meaning of the statuses for the next visits, and in the URL of each
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the screen opens
  useEffect(() => {
    if (state.won.length + state.lost.length > 0) return;
    const { won, lost } = storedOutcomes(kept);
    if (won.length + lost.length > 0) setState({ won, lost }, { replace: true });
  }, [kept]);

  const key = JSON.stringify([state, today, zone, statuses, isPending, project.timezone]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key covers them all and keeps the object stable
  const dashboard = useMemo<Dashboard>(() => {
    const period = periodOf(state.period, today, state);
    const intervals = intervalsOf(period);
    const guess = outcomesOf(statuses);
    return {
      period,
      zone,
      interval: intervals.find((each) => each === state.by) ?? intervals[0],
      filter: state.filter,
      statuses,
      ready: !isPending,
      outcomes: {
        won: state.won.length > 0 ? state.won : guess.won,
        lost: state.lost.length > 0 ? state.lost : guess.lost,
      },
      leadsOf: (days, ...more) => allOf(createdIn(days, zone, project.timezone), ...more, state.filter),
    };
  }, [key]);

  const say = useCallback(
    (outcomes: Outcomes) => {
      setState({ ...outcomes });
      try {
        localStorage.setItem(kept, JSON.stringify(outcomes));
      } catch {
        // the browser stores nothing: the choice lasts as long as this URL
      }
    },
    [kept, setState],
  );
  return { dashboard, state, change: setState, say, today };
}

function storedOutcomes(key: string): Outcomes {
  const texts = (value: unknown) =>
    Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
  try {
    const stored: Record<string, unknown> = JSON.parse(localStorage.getItem(key) ?? "{}");
    return { won: texts(stored.won), lost: texts(stored.lost) };
  } catch {
    return { won: NONE, lost: NONE };
  }
}
