import { Checkbox } from "@mantine/core";
import { useEffect } from "react";
import type { ListedLead } from "../../records/listed-lead.ts";
import styles from "../../table/table.module.css";
import { useEndless } from "../../table/use-endless.ts";
import { useFormat } from "../../words/format.ts";
import { leadName } from "../../words/lead-name.ts";
import { useWords } from "../../words/use-words.ts";
import { useActions, useKnown } from "../list/lead-list-context.ts";
import { LEAD_LIST_WORDS } from "../list/lead-list-words.ts";
import { NameLink, Status } from "./lead-cell.tsx";
import type { ListOfLeads } from "./leads-table.tsx";
import { useSteadyRows } from "./use-steady-rows.ts";

const CARD_HEIGHT = 92;

/** The leads on a phone: one card each, with endless scrolling. */
export function PhoneList(list: ListOfLeads & { mayWrite: boolean }) {
  const { leads, selection } = list;
  const words = useWords(LEAD_LIST_WORDS);
  const { scroller, virtual, items, before } = useEndless<HTMLElement>({
    ...list,
    count: leads.length,
    rowHeight: CARD_HEIGHT,
    headHeight: 0,
  });
  useSteadyRows(scroller, list, CARD_HEIGHT);
  const [first, last] = [(items[0]?.index ?? 0) - before, (items.at(-1)?.index ?? 0) - before];
  const { onSee } = list;
  useEffect(() => onSee(first, last), [onSee, first, last]);
  return (
    <section
      ref={scroller}
      className={styles.scroller}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable with the keyboard
      tabIndex={0}
      aria-label={words.table}
      data-old={list.isOld || undefined}
    >
      <ul className={styles.cards} style={{ height: virtual.getTotalSize() }}>
        {items.map((item) => {
          const index = item.index - before;
          const lead = leads[index];
          const style = { transform: `translateY(${item.start}px)` };
          return lead === undefined ? (
            <li key={item.key} className={styles.card} style={style} aria-hidden />
          ) : (
            <Card
              key={lead.id}
              lead={lead}
              index={index}
              style={style}
              chosen={selection.has(lead.id)}
              mayWrite={list.mayWrite}
            />
          );
        })}
      </ul>
    </section>
  );
}

function Card(card: { lead: ListedLead; index: number; style: object; chosen: boolean; mayWrite: boolean }) {
  const { lead, index, chosen } = card;
  const { toggle } = useActions();
  const { people } = useKnown();
  const words = useWords(LEAD_LIST_WORDS);
  const { money, day, phone } = useFormat();
  const reach = lead.email || (!lead.phone ? "" : phone(lead.phone_e164 || lead.phone));
  return (
    <li className={styles.card} style={card.style} data-card={lead.id} data-chosen={chosen || undefined}>
      {card.mayWrite && (
        <Checkbox
          aria-label={`${words.choose}: ${leadName(lead) || words.nameless}`}
          checked={chosen}
          onChange={() => toggle(index, false)}
        />
      )}
      <div className={styles.cardText}>
        <NameLink lead={lead} />
        <bdi className={styles.cardLine}>{lead.company || reach}</bdi>
        <bdi className={styles.cardLine}>{lead.company ? reach : people.get(lead.owner_id ?? "")}</bdi>
      </div>
      <div className={styles.cardEnd}>
        {lead.status !== undefined && <Status status={lead.status} />}
        <span className="money">{lead.value == null ? "" : money(lead.value, lead.currency ?? null)}</span>
        <span className={styles.cardLine}>{lead.created_at !== undefined && day(lead.created_at)}</span>
      </div>
    </li>
  );
}
