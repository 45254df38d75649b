import { SECTIONS } from "../../lead/values/sections.ts";
import values from "../../lead/values/values.module.css";
import { isEmpty } from "../../records/value.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { type Fields, fieldsIn } from "../host/answer.ts";
import { labelOf } from "../parts/labels.ts";
import { Value } from "../parts/value.tsx";
import styles from "./card.module.css";
import { CARD_WORDS } from "./card-words.ts";

/** Fields that the head of the card shows, that stand with another one, or that are for programs. */
const ELSEWHERE = new Set([
  "name",
  "display_name",
  "status",
  "job_title",
  "company",
  "currency",
  "do_not_contact",
]);
const FOR_PROGRAMS = new Set(["id", "version", "import_id"]);

/** Sections that most people ask for; the others come behind a button. */
const FIRST: readonly string[] = ["contact", "sales", "own"];

/** What is known of a lead, in the order of its screen in the panel. */
export function Facts({ lead }: { lead: Fields }) {
  const words = useWords(CARD_WORDS);
  const custom = Object.keys(fieldsIn(lead, "custom")).map((key) => `custom.${key}`);
  const known = SECTIONS.map(([section, fields]) => ({
    section,
    fields: (section === "own" ? custom : fields).filter(
      (field) => !ELSEWHERE.has(field) && !FOR_PROGRAMS.has(field) && !isEmpty(valueIn(lead, field)),
    ),
  }));
  const first = known.flatMap(({ section, fields }) => (FIRST.includes(section) ? fields : []));
  const rest = known.flatMap(({ section, fields }) => (FIRST.includes(section) ? [] : fields));
  return (
    <>
      {first.length > 0 && <List lead={lead} fields={first} />}
      {rest.length > 0 && (
        <details className={styles.more} open={first.length === 0}>
          <summary>{first.length === 0 ? words.facts : words.moreFields}</summary>
          <List lead={lead} fields={rest} />
        </details>
      )}
    </>
  );
}

const List = ({ lead, fields }: { lead: Fields; fields: readonly string[] }) => (
  <dl className={styles.facts}>
    {fields.map((field) => (
      <Fact key={field} lead={lead} field={field} />
    ))}
  </dl>
);

function Fact({ lead, field }: { lead: Fields; field: string }) {
  const locale = useLocale();
  return (
    <div className={values.row}>
      <dt>
        <bdi>{labelOf(locale, field)}</bdi>
      </dt>
      <dd>
        <Value field={field} value={valueIn(lead, field)} currency={lead.currency} />
      </dd>
    </div>
  );
}

/** A lead's value of a field; its owner by name. */
function valueIn(lead: Fields, field: string): unknown {
  if (field === "owner_id") return lead.owner;
  return field.startsWith("custom.") ? fieldsIn(lead, "custom")[field.slice(7)] : lead[field];
}
