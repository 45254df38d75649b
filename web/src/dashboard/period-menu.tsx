import { Button, Group, Popover, Select, Text, TextInput } from "@mantine/core";
import { useMemo, useState } from "react";
import { IconCalendar, IconCheck } from "../look/icons.ts";
import { useProject } from "../session/me.ts";
import { useWords } from "../words/use-words.ts";
import styles from "./dashboard.module.css";
import { DASHBOARD_WORDS } from "./data/dashboard-words.ts";
import { useDayNames } from "./data/day-names.ts";
import type { Days } from "./data/days.ts";
import { type Period, type PeriodName, periodOf } from "./data/period.ts";

const ORDER: readonly PeriodName[] = ["today", "7", "30", "90", "365", "this_month", "last_month"];

/** Chooses the period (a preset or custom dates) and the time zone. */
export function PeriodMenu(menu: {
  period: Period;
  zone: string;
  today: string;
  onPeriod(name: PeriodName, days?: Days): void;
  onZone(zone: string): void;
}) {
  const { period, today } = menu;
  const words = useWords(DASHBOARD_WORDS);
  const { range } = useDayNames();
  const [opened, setOpened] = useState(false);
  const choose = (name: PeriodName, days?: Days) => {
    menu.onPeriod(name, days);
    setOpened(false);
  };
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      shadow="md"
      trapFocus
      radius="lg"
      withinPortal
    >
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconCalendar size={16} />}
          aria-label={`${words.period}: ${period.name === "custom" ? range(period) : words[period.name]}`}
          onClick={() => setOpened((open) => !open)}
        >
          {period.name === "custom" ? range(period) : words[period.name]}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs" className={styles.periods ?? ""} aria-label={words.period}>
        <ul className={styles.presets}>
          {ORDER.map((name) => (
            <li key={name}>
              <button type="button" aria-pressed={period.name === name} onClick={() => choose(name)}>
                <span>{words[name]}</span>
                {period.name === name ? (
                  <IconCheck size={16} aria-hidden />
                ) : (
                  <small>{range(periodOf(name, today, period))}</small>
                )}
              </button>
            </li>
          ))}
        </ul>
        <OwnDays period={period} onDays={(days) => choose("custom", days)} />
        <div className={styles.zone}>
          <ZoneChoice zone={menu.zone} onZone={menu.onZone} />
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

function OwnDays({ period, onDays }: { period: Period; onDays(days: Days): void }) {
  const words = useWords(DASHBOARD_WORDS);
  const [days, setDays] = useState<Days>({ from: period.from, to: period.to });
  const isGood = periodOf("custom", days.to, days).name === "custom";
  const field = (edge: "from" | "to") => (
    <TextInput
      type="date"
      size="sm"
      label={words[edge]}
      value={days[edge]}
      onChange={({ currentTarget: { value } }) => setDays((present) => ({ ...present, [edge]: value }))}
    />
  );
  return (
    <form
      className={styles.own}
      onSubmit={(event) => {
        event.preventDefault();
        if (isGood) onDays(days);
      }}
    >
      <Group gap="xs" grow>
        {field("from")}
        {field("to")}
      </Group>
      {!isGood && (
        <Text size="xs" c="red.8" mt={4} role="alert">
          {words.badDays}
        </Text>
      )}
      <Button type="submit" variant="light" size="xs" fullWidth mt="xs" disabled={!isGood}>
        {words.show}
      </Button>
    </form>
  );
}

function ZoneChoice({ zone, onZone }: { zone: string; onZone(zone: string): void }) {
  const words = useWords(DASHBOARD_WORDS);
  const { timezone } = useProject();
  const zones = useMemo(
    () => [...new Set([timezone, zone, "UTC", ...Intl.supportedValuesOf("timeZone")])],
    [timezone, zone],
  );
  return (
    <Select
      size="sm"
      mt="xs"
      label={words.zone}
      searchable
      allowDeselect={false}
      limit={60}
      comboboxProps={{ withinPortal: false }}
      value={zone}
      data={zones.map((value) => ({
        value,
        label: value === timezone ? `${value} (${words.zoneOfProject})` : value,
      }))}
      onChange={(value) => value !== null && onZone(value)}
    />
  );
}
