import { UnstyledButton } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import type { Event as LeadEvent } from "../../../../src/contract/timeline/event.ts";
import { historyAddress } from "../../changes/use-undo.ts";
import { useProject } from "../../session/me.ts";
import { eventTitle, eventTypeName } from "../../words/event-title.ts";
import { useFormat } from "../../words/format.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { useLeadHere } from "../context/lead-context.ts";
import { useWho } from "../context/use-who.ts";
import styles from "./activity.module.css";
import { ACTIVITY_WORDS, BURSTS, FIELD_CHANGED } from "./activity-words.ts";
import { EventBody } from "./event-body.tsx";
import { EventIcon } from "./event-icon.tsx";
import type { Burst } from "./fold.ts";

/** The number of changes of a burst that are shown collapsed. */
const MOST_CHANGES = 6;

/** One event, or several that belong together. */
export function EventLine({ burst }: { burst: Burst }) {
  const words = useWords(ACTIVITY_WORDS);
  const bursts = useWords(BURSTS);
  const locale = useLocale();
  const titleOf = useTitle();
  const [open, setOpen] = useState(false);
  const [first] = burst.events;
  if (first === undefined) return null;
  const count = burst.events.length;
  if (count === 1)
    return (
      <Line event={first} title={titleOf(first)}>
        <EventBody event={first} />
      </Line>
    );
  const changes = first.type === "lead.updated";
  const shown = changes ? burst.events.slice(0, open ? count : MOST_CHANGES) : open ? burst.events : [];
  const title = changes
    ? bursts.changed(new Set(burst.events.map(({ data }) => data.field)).size)
    : bursts.times(eventTypeName(locale, first.type), count);
  return (
    <Line event={first} title={title}>
      {changes ? (
        shown.map((event) => <EventBody key={event.id} event={event} named />)
      ) : (
        <ol className={styles.inner}>
          {shown.map((event) => (
            <Line key={event.id} event={event} title={titleOf(event)} inner>
              <EventBody event={event} />
            </Line>
          ))}
        </ol>
      )}
      {(open || shown.length < count) && (
        <UnstyledButton className={styles.small} onClick={() => setOpen(!open)} aria-expanded={open}>
          {open ? words.fold : `${words.showAll} (${count})`}
        </UnstyledButton>
      )}
    </Line>
  );
}

function Line(line: { event: LeadEvent; title: string; inner?: boolean; children: ReactNode }) {
  const { event } = line;
  const words = useWords(ACTIVITY_WORDS);
  const who = useWho();
  const { time, moment } = useFormat();
  const { id: project } = useProject();
  return (
    <li className={styles.event}>
      {line.inner !== true && <EventIcon type={event.type} />}
      <div className={styles.what}>
        <div className={styles.title}>
          <bdi>{line.title}</bdi>
        </div>
        {line.children}
        <div className={styles.meta}>
          <time dateTime={event.occurred_at} title={moment(event.occurred_at)}>
            {time(event.occurred_at)}
          </time>
          {" · "}
          <bdi>{who(event)}</bdi>
          {event.merged_from !== null && ` · ${words.fromMerged}`}
          {event.change_id !== null && (
            <>
              {" · "}
              <Link className={styles.change} to={historyAddress(project, event.change_id)}>
                {words.change}
              </Link>
            </>
          )}
        </div>
      </div>
    </li>
  );
}

/** The title of an event: for a change, the field in the person's language; for a note, that it is one. */
function useTitle(): (event: LeadEvent) => string {
  const { fields } = useLeadHere();
  const locale = useLocale();
  const changed = useWords(FIELD_CHANGED);
  return (event) => {
    const { field, text } = event.data;
    if (event.type === "lead.updated" && typeof field === "string")
      return changed(fields.get(field)?.label ?? field);
    if (event.type === "note.added" && typeof text === "string") return eventTypeName(locale, event.type);
    return eventTitle(locale, event);
  };
}
