import { Group } from "@mantine/core";
import { useState } from "react";
import { FilterButton } from "../filter/filter-button.tsx";
import { FilterChips } from "../filter/filter-chips.tsx";
import { Page } from "../parts/screen.tsx";
import { useMay, useProject } from "../session/me.ts";
import { useWords } from "../words/use-words.ts";
import { ConversionCard } from "./cards/conversion-card.tsx";
import { OwnerCard } from "./cards/owner-card.tsx";
import { ResponseCard } from "./cards/response-card.tsx";
import { SeriesCard } from "./cards/series-card.tsx";
import { StatusCard } from "./cards/status-card.tsx";
import { TextCard } from "./cards/text-card.tsx";
import { Tiles } from "./cards/tiles.tsx";
import styles from "./dashboard.module.css";
import { DASHBOARD_WORDS } from "./data/dashboard-words.ts";
import { useDayNames } from "./data/day-names.ts";
import { useAnyLead, useStatusFigures } from "./data/figures.ts";
import { useDashboard } from "./data/use-dashboard.ts";
import { useLiveFigures } from "./data/use-live-figures.ts";
import { FirstSteps } from "./first-steps.tsx";
import { MeaningMenu } from "./meaning-menu.tsx";
import { PeriodMenu } from "./period-menu.tsx";

/** The project's first page: the leads created in a period, compared with the period before. */
export function Screen() {
  const words = useWords(DASHBOARD_WORDS);
  const { timezone } = useProject();
  const { range } = useDayNames();
  const { dashboard, state, change, today } = useDashboard();
  const [filtering, setFiltering] = useState(false);
  const { period, zone } = dashboard;
  const mayChange = useMay("schema:write");
  const isEmpty = useIsEmpty(dashboard);
  useLiveFigures();
  return (
    <Page
      title={words.title}
      lead={
        isEmpty
          ? undefined
          : `${range(period)}, ${words.comparedWith} ${range(period.before)}${zone === timezone ? "" : ` · ${words.inZone} ${zone}`}`
      }
      wide
      actions={
        !isEmpty && (
          <Group gap="xs">
            <PeriodMenu
              period={period}
              zone={zone}
              today={today}
              onPeriod={(name, days) => change({ period: name, from: days?.from ?? "", to: days?.to ?? "" })}
              onZone={(chosen) => change({ zone: chosen === timezone ? "" : chosen })}
            />
            <FilterButton
              value={state.filter}
              onChange={(filter) => change({ filter })}
              opened={filtering}
              onOpened={setFiltering}
            />
            {mayChange && <MeaningMenu statuses={dashboard.statuses} outcomes={dashboard.outcomes} />}
          </Group>
        )
      }
    >
      {state.filter !== undefined && (
        <div className={styles.chips}>
          <FilterChips
            value={state.filter}
            onChange={(filter) => change({ filter })}
            onOpen={() => setFiltering(true)}
          />
        </div>
      )}
      {isEmpty ? (
        <FirstSteps />
      ) : (
        <div className={styles.dashboard}>
          <Tiles of={dashboard} />
          <div className={styles.cards}>
            <SeriesCard
              of={dashboard}
              asTable={state.show === "table"}
              onTable={(asTable) => change({ show: asTable ? "table" : "chart" })}
              onInterval={(by) => change({ by })}
            />
            <StatusCard of={dashboard} />
            <TextCard of={dashboard} field="source" />
            <TextCard of={dashboard} field="campaign" />
            <ConversionCard of={dashboard} />
            <ResponseCard of={dashboard} />
            <OwnerCard of={dashboard} />
          </div>
        </div>
      )}
    </Page>
  );
}

/** Whether the project has no leads at all; only requested if both periods are empty. */
function useIsEmpty(dashboard: ReturnType<typeof useDashboard>["dashboard"]): boolean {
  const now = useStatusFigures(dashboard, "now");
  const before = useStatusFigures(dashboard, "before");
  const none = (data: typeof now.data) => data !== undefined && data.groups.length === 0;
  const mayBe = none(now.data) && none(before.data) && dashboard.filter === undefined;
  const { data } = useAnyLead(mayBe);
  return mayBe && data?.count === 0;
}
