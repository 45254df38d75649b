import { Badge, Group } from "@mantine/core";
import type { Field } from "../../../../src/contract/fields/fields.ts";
import { LongText } from "../../parts/long-text.tsx";
import { kindOf } from "../../records/field-kind.ts";
import { leadValue } from "../../records/lead.ts";
import { isEmpty } from "../../records/value.ts";
import { useValueText } from "../../records/value-text.ts";
import { StatusDot } from "../../statuses/status-dot.tsx";
import { useWords } from "../../words/use-words.ts";
import { useLeadHere } from "../context/lead-context.ts";
import { FactLink } from "./value-links.tsx";
import { VALUE_WORDS } from "./value-words.ts";
import styles from "./values.module.css";

/** A lead's value of a field, for reading. */
export function ValueView({ field }: { field: Field }) {
  const { lead, custom, statuses } = useLeadHere();
  const words = useWords(VALUE_WORDS);
  const textOf = useValueText();
  const value = leadValue(lead, field.name);
  const kind = kindOf(field, custom);
  if (isEmpty(value))
    return <span className={styles.none}>{kind === "owner" ? words.nobody : words.none}</span>;
  if (field.name === "status")
    return (
      <Group gap={8} wrap="nowrap">
        <StatusDot statuses={statuses} status={String(value)} />
        <bdi>{String(value)}</bdi>
      </Group>
    );
  if (Array.isArray(value)) return <ListValue field={field.name} items={value.map(String)} />;
  const text = textOf(field.name, value, lead.currency);
  if (kind === "email" || kind === "phone" || kind === "url")
    return <FactLink kind={kind} value={String(value)} text={text} />;
  return <LongText text={text} money={kind === "money"} />;
}

function ListValue({ field, items }: { field: string; items: readonly string[] }) {
  const textOf = useValueText();
  if (field === "emails" || field === "phones") {
    const kind = field === "emails" ? "email" : "phone";
    return (
      <ul className={styles.plain}>
        {items.map((item) => (
          <li key={item}>
            <FactLink kind={kind} value={item} text={textOf(kind, item)} />
          </li>
        ))}
      </ul>
    );
  }
  return (
    <Group gap={4}>
      {items.map((item) => (
        <Badge key={item} variant="default" tt="none" fw={500} radius="sm" maw="100%">
          <bdi>{item}</bdi>
        </Badge>
      ))}
    </Group>
  );
}
