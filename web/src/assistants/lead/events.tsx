import { useState } from "react";
import activity from "../../lead/activity/activity.module.css";
import { EventIcon } from "../../lead/activity/event-icon.tsx";
import { LongText } from "../../parts/long-text.tsx";
import { eventTitle, eventTypeName } from "../../words/event-title.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { type Fields, fieldsIn, textIn } from "../host/answer.ts";
import { useView } from "../host/view-context.ts";
import { Diff } from "../parts/diff.tsx";
import { labelOf } from "../parts/labels.ts";
import { ShowAll } from "../parts/show-all.tsx";
import { Warning } from "../parts/warning.tsx";
import styles from "./card.module.css";
import { CARD_WORDS } from "./card-words.ts";

/** How many events are shown until the person asks for all. */
const FIRST = 5;

/** The newest events of a lead. */
export function Events({
  events,
  isMore,
  currency,
}: {
  events: readonly Fields[];
  isMore: boolean;
  /** The currency of the lead's value. */
  currency: unknown;
}) {
  const words = useWords(CARD_WORDS);
  const [all, setAll] = useState(false);
  return (
    <section>
      <h2 className={styles.heading}>{words.timeline}</h2>
      {events.length === 0 ? (
        <p className={styles.none}>{words.noEvents}</p>
      ) : (
        <ol className={activity.events}>
          {events.slice(0, all ? undefined : FIRST).map((event, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the events never move
            <Line key={i} event={event} currency={currency} />
          ))}
        </ol>
      )}
      <ShowAll count={events.length} first={FIRST} isAll={all} onChange={setAll} />
      {isMore && (all || events.length <= FIRST) && <Warning text={words.moreEvents} />}
    </section>
  );
}

function Line({ event, currency }: { event: Fields; currency: unknown }) {
  const { format } = useView();
  const titleOf = useTitle();
  const at = textIn(event, "at") ?? "";
  const isDated = !Number.isNaN(Date.parse(at));
  return (
    <li className={activity.event}>
      <EventIcon type={textIn(event, "type") ?? ""} />
      <div className={activity.what}>
        <div className={activity.title}>
          <bdi>{titleOf(event)}</bdi>
        </div>
        <Body event={event} currency={currency} />
        <div className={activity.meta}>
          {isDated && (
            <time dateTime={at} title={format.moment(at)}>
              {format.moment(at)}
            </time>
          )}
          {event.by !== undefined && (
            <>
              {" · "}
              <bdi>{String(event.by)}</bdi>
            </>
          )}
        </div>
      </div>
    </li>
  );
}

/** What stands below the title of an event: a value before and after, or the text of a note. */
function Body({ event, currency }: { event: Fields; currency: unknown }) {
  const field = textIn(event, "field");
  if (field !== undefined)
    return (
      <div className={activity.body}>
        <Diff field={field} from={event.from} to={event.to} currency={currency} />
      </div>
    );
  const text = textIn(fieldsIn(event, "data"), "text");
  return text === undefined ? null : (
    <div className={activity.note}>
      <LongText text={text} />
    </div>
  );
}

/** The title of an event: for a change, its field; for one with a text, only what it is. */
function useTitle(): (event: Fields) => string {
  const locale = useLocale();
  const words = useWords(CARD_WORDS);
  return (event) => {
    const [type, title, field] = [
      textIn(event, "type") ?? "",
      textIn(event, "title"),
      textIn(event, "field"),
    ];
    if (field !== undefined) return words.changed(labelOf(locale, field));
    if (type === "note.added" && fieldsIn(event, "data").text !== undefined)
      return eventTypeName(locale, type);
    return eventTitle(locale, { type, title: title ?? null });
  };
}
