import { Paper, Title, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import type { Field } from "../../../../src/contract/fields/fields.ts";
import { leadValue } from "../../records/lead.ts";
import { isEmpty } from "../../records/value.ts";
import { useWords } from "../../words/use-words.ts";
import { useLeadHere } from "../context/lead-context.ts";
import { SECTIONS, type SectionName } from "./sections.ts";
import { ValueRow } from "./value-row.tsx";
import { EMPTY_FIELDS, VALUE_WORDS } from "./value-words.ts";
import styles from "./values.module.css";

/** The values of the lead in sections; empty fields are collapsed. */
export function LeadValues({
  editing,
  unsaved,
  onEdit,
}: {
  editing: string | undefined;
  /** The fields with text that is not saved. */
  unsaved: readonly string[];
  onEdit(field?: string): void;
}) {
  const { fields } = useLeadHere();
  const words = useWords(VALUE_WORDS);
  const own = [...fields.values()].filter(({ custom }) => custom).map(({ name }) => name);
  return (
    <Paper component="section" aria-label={words.facts}>
      {SECTIONS.map(([name, listed]) => {
        const all = name === "own" ? own : listed;
        const here = all.flatMap((each) => fields.get(each) ?? []);
        if (here.length === 0) return null;
        return (
          <Section key={name} name={name} fields={here} editing={editing} unsaved={unsaved} onEdit={onEdit} />
        );
      })}
    </Paper>
  );
}

function Section(section: {
  name: SectionName;
  fields: readonly Field[];
  editing: string | undefined;
  unsaved: readonly string[];
  onEdit(field?: string): void;
}) {
  const { lead } = useLeadHere();
  const words = useWords(VALUE_WORDS);
  const emptyFields = useWords(EMPTY_FIELDS);
  const [all, setAll] = useState(false);
  const filled = section.fields.filter(
    ({ name }) =>
      !isEmpty(leadValue(lead, name)) || section.editing === name || section.unsaved.includes(name),
  );
  const hidden = section.fields.length - filled.length;
  const shown = all ? section.fields : filled;
  return (
    <section className={styles.section}>
      <div className={styles.head}>
        <Title order={2} fz="sm">
          {words[section.name]}
        </Title>
      </div>
      <dl className={styles.list}>
        {shown.map((field) => (
          <ValueRow
            key={field.name}
            field={field}
            editing={section.editing === field.name}
            unsaved={section.unsaved.includes(field.name)}
            onEdit={(edit) => section.onEdit(edit ? field.name : undefined)}
          />
        ))}
      </dl>
      {(hidden > 0 || all) && (
        <UnstyledButton className={styles.fold} mb="sm" onClick={() => setAll(!all)} aria-expanded={all}>
          {all ? words.fewer : emptyFields(hidden)}
        </UnstyledButton>
      )}
    </section>
  );
}
