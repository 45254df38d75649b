import { Link } from "react-router";
import { leadValue } from "../../records/lead.ts";
import type { ListedLead } from "../../records/listed-lead.ts";
import { statusColor } from "../../statuses/status-color.ts";
import { useFormat } from "../../words/format.ts";
import { leadName } from "../../words/lead-name.ts";
import { useWords } from "../../words/use-words.ts";
import { useActions, useKnown } from "../list/lead-list-context.ts";
import { LEAD_LIST_WORDS } from "../list/lead-list-words.ts";
import { hasColumn } from "../list/list-fields.ts";
import type { LeadColumn } from "./columns.ts";
import styles from "./lead-cell.module.css";

/** A lead's value in a column, for reading; as text, its name is no link. */
export function LeadCell({
  lead,
  column,
  isText,
}: {
  lead: ListedLead;
  column: LeadColumn;
  isText?: boolean;
}) {
  const value = leadValue(lead, column.name);
  if (column.name === "name" && isText !== true) return <NameLink lead={lead} />;
  if (!hasColumn(lead, column.name)) return <span aria-hidden>…</span>;
  if (value === null || value === "" || (Array.isArray(value) && value.length === 0)) return null;
  if (column.kind === "status") return <Status status={String(value)} />;
  if (Array.isArray(value)) {
    return value.map((each) => (
      <bdi className={styles.tag} key={String(each)}>
        {String(each)}
      </bdi>
    ));
  }
  return <Plain lead={lead} column={column} value={value} />;
}

/** A lead's name as a link. */
export function NameLink({ lead }: { lead: ListedLead }) {
  const { address } = useActions();
  const words = useWords(LEAD_LIST_WORDS);
  const name = leadName(lead);
  return (
    <Link className={styles.name} to={address(lead)} tabIndex={-1}>
      {name === "" ? <i>{words.nameless}</i> : <bdi>{name}</bdi>}
    </Link>
  );
}

export function Status({ status }: { status: string }) {
  const { statuses } = useKnown();
  return (
    <span className={styles.status}>
      <span
        className={styles.dot}
        style={{ background: `var(--mantine-color-${statusColor(statuses, status)}-filled)` }}
        aria-hidden
      />
      <bdi>{status}</bdi>
    </span>
  );
}

function Plain({ lead, column, value }: { lead: ListedLead; column: LeadColumn; value: unknown }) {
  const { number, money, phone, day, moment } = useFormat();
  const { people } = useKnown();
  const words = useWords(LEAD_LIST_WORDS);
  const text = String(value);
  switch (column.kind) {
    case "money":
      return money(Number(value), lead.currency as string | null);
    case "number":
      return number(Number(value));
    case "boolean":
      return value === true ? words.yes : words.no;
    case "phone":
      return <bdi>{phone(column.name === "phone" ? String(lead.phone_e164 ?? text) : text)}</bdi>;
    case "owner":
      return <bdi>{people.get(text) ?? words.formerMember}</bdi>;
    case "day":
      return day(text);
    case "moment":
      return (
        <time dateTime={text} title={moment(text)}>
          {day(text)}
        </time>
      );
    default:
      return <bdi>{text}</bdi>;
  }
}
