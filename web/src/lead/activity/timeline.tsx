import { Button, Group, Paper, Text, Title } from "@mantine/core";
import { useEffect, useMemo, useRef, useState } from "react";
import type { Event as LeadEvent } from "../../../../src/contract/timeline/event.ts";
import { usePages } from "../../api/queries.ts";
import { IconFilter } from "../../look/icons.ts";
import { Empty } from "../../parts/empty.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { useProject } from "../../session/me.ts";
import { useFormat } from "../../words/format.ts";
import { useWords } from "../../words/use-words.ts";
import { dayIn } from "../../words/zone-time.ts";
import { useLeadHere } from "../context/lead-context.ts";
import styles from "./activity.module.css";
import { ACTIVITY_WORDS } from "./activity-words.ts";
import { EventLine } from "./event-line.tsx";
import { byDay, fold } from "./fold.ts";
import { ALL_EVENTS, type Chosen, TimelineFilter } from "./timeline-filter.tsx";

const DAY_MS = 86_400_000;

/** The lead's events by day, newest first; older days load while scrolling. */
export function Timeline({ chosen, onChoose }: { chosen: Chosen; onChoose(change: Partial<Chosen>): void }) {
  const { lead } = useLeadHere();
  const words = useWords(ACTIVITY_WORDS);
  const count = Object.values(chosen).filter((each) => each.length > 0).length;
  const [filtering, setFiltering] = useState(count > 0);
  const { types, source, actor, since, until } = chosen;
  const pages = usePages("events", "/v1/leads/{id}/events", {
    params: { id: lead.id },
    query: {
      limit: 50,
      ...(types.length > 0 && { types }),
      ...(source !== "" && { source }),
      ...(actor !== "" && { actor }),
      ...(since !== "" && { from: since }),
      ...(until !== "" && { to: until }),
    },
  });
  const events = useMemo(() => pages.data?.pages.flatMap((page) => page.events) ?? [], [pages.data]);
  return (
    <Paper component="section" aria-label={words.timeline} p="md">
      <Group justify="space-between" mb="sm">
        <Title order={2} fz="sm">
          {words.timeline}
        </Title>
        <Button
          size="compact-sm"
          variant={count > 0 ? "light" : "subtle"}
          leftSection={<IconFilter size={15} aria-hidden />}
          aria-expanded={filtering}
          onClick={() => setFiltering(!filtering)}
        >
          {words.filter}
          {count > 0 && ` (${count})`}
        </Button>
      </Group>
      {filtering && <TimelineFilter chosen={chosen} onChoose={onChoose} />}
      {pages.isPending && <Waiting lines={4} />}
      {pages.error !== null && <Problem error={pages.error} again={() => void pages.refetch()} />}
      {pages.data !== undefined && events.length === 0 && (
        <Empty
          icon="log"
          title={count > 0 ? words.nothing : words.empty}
          actions={
            count > 0 && (
              <Button variant="default" onClick={() => onChoose(ALL_EVENTS)}>
                {words.clear}
              </Button>
            )
          }
        >
          {count > 0 ? words.nothingWhat : words.emptyWhat}
        </Empty>
      )}
      <Days events={events} />
      {pages.hasNextPage ? (
        <More pending={pages.isFetchingNextPage} onMore={() => void pages.fetchNextPage()} />
      ) : (
        events.length > 20 && (
          <Text size="xs" c="dimmed" ta="center" mt="md">
            {words.end}
          </Text>
        )
      )}
    </Paper>
  );
}

function Days({ events }: { events: readonly LeadEvent[] }) {
  const { timezone } = useProject();
  const words = useWords(ACTIVITY_WORDS);
  const { day } = useFormat();
  const days = useMemo(() => byDay(fold(events), (moment) => dayIn(timezone, moment)), [events, timezone]);
  const now = Date.now();
  const close = new Map([
    [dayIn(timezone, now - DAY_MS), words.yesterday],
    [dayIn(timezone, now), words.today],
  ]);
  return days.map(([date, bursts]) => (
    <section key={date} className={styles.day}>
      <h3 className={styles.date}>
        {close.has(date) ? `${close.get(date)} · ` : ""}
        {day(date)}
      </h3>
      <ol className={styles.events}>
        {bursts.map((burst) => (
          <EventLine key={burst.id} burst={burst} />
        ))}
      </ol>
    </section>
  ));
}

/** Loads more when it comes near the viewport; a button for people who do not scroll. */
function More({ pending, onMore }: { pending: boolean; onMore(): void }) {
  const words = useWords(ACTIVITY_WORDS);
  const button = useRef<HTMLButtonElement>(null);
  const latest = useRef(onMore);
  latest.current = onMore;
  useEffect(() => {
    if (button.current === null || pending) return;
    const watcher = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting === true && latest.current(),
      { rootMargin: "800px" },
    );
    watcher.observe(button.current);
    return () => watcher.disconnect();
  }, [pending]);
  return (
    <Group justify="center" mt="md">
      <Button ref={button} variant="default" size="compact-md" loading={pending} onClick={onMore}>
        {words.more}
      </Button>
    </Group>
  );
}
