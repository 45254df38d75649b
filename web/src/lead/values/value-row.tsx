import { ActionIcon, Button, Tooltip, UnstyledButton } from "@mantine/core";
import { useEffect, useRef } from "react";
import type { Field } from "../../../../src/contract/fields/fields.ts";
import { IconPencil } from "../../look/icons.ts";
import { kindOf } from "../../records/field-kind.ts";
import { leadValue } from "../../records/lead.ts";
import { isEmpty } from "../../records/value.ts";
import { useWords } from "../../words/use-words.ts";
import { useLeadHere } from "../context/lead-context.ts";
import { ValueEditor } from "./value-editor.tsx";
import { ValueHistory } from "./value-history.tsx";
import { CopyValue, WhatsAppLink } from "./value-links.tsx";
import { ValueView } from "./value-view.tsx";
import { VALUE_WORDS } from "./value-words.ts";
import styles from "./values.module.css";

/** One field: its name, its value, its history, and buttons to copy and edit it. */
export function ValueRow(row: {
  field: Field;
  editing: boolean;
  /** Whether text was typed that is not saved. */
  unsaved: boolean;
  onEdit(edit: boolean): void;
}) {
  const { field, editing } = row;
  const { lead, custom, mayWrite } = useLeadHere();
  const words = useWords(VALUE_WORDS);
  const pencil = useRef<HTMLButtonElement>(null);
  const before = useRef(editing);
  useEffect(() => {
    if (before.current && !editing) pencil.current?.focus();
    before.current = editing;
  }, [editing]);
  const value = leadValue(lead, field.name);
  const empty = isEmpty(value);
  const mayEdit = mayWrite && field.writable;
  const kind = kindOf(field, custom);
  const simple = typeof value === "string" || typeof value === "number";
  const e164 = field.name === "phone" && typeof lead.phone_e164 === "string" ? lead.phone_e164 : undefined;
  const followed = kind === "email" || kind === "phone" || kind === "url";
  if (editing)
    return (
      <div className={styles.row} data-editing>
        <dt>
          <bdi>{field.label}</bdi>
        </dt>
        <dd>
          <ValueEditor field={field} onClose={() => row.onEdit(false)} />
        </dd>
      </div>
    );
  return (
    <div className={styles.row} data-field={field.name}>
      <dt>
        <bdi>{field.label}</bdi>
      </dt>
      <dd className={styles.value}>
        {mayEdit && !followed && kind !== "list" && !isLong(value) ? (
          // the pencil next to it does the same for keyboards and screen readers
          <UnstyledButton
            component="span"
            className={styles.click}
            onClick={() => row.onEdit(true)}
            title={words.edit}
          >
            <ValueView field={field} />
          </UnstyledButton>
        ) : (
          <ValueView field={field} />
        )}
        {row.unsaved && (
          <Button size="compact-xs" variant="light" color="red" onClick={() => row.onEdit(true)}>
            {words.notSaved}
          </Button>
        )}
      </dd>
      <dd className={styles.acts}>
        <span className={styles.tools}>
          {e164 !== undefined && <WhatsAppLink phone={e164} />}
          {simple && !empty && <CopyValue value={String(value)} of={field.label} />}
          {mayEdit && (
            <Tooltip label={words.edit}>
              <ActionIcon
                ref={pencil}
                variant="subtle"
                color="gray"
                size={26}
                aria-label={`${words.edit}: ${field.label}`}
                onClick={() => row.onEdit(true)}
              >
                <IconPencil size={15} />
              </ActionIcon>
            </Tooltip>
          )}
        </span>
        {field.writable && <ValueHistory field={field} />}
      </dd>
    </div>
  );
}

const isLong = (value: unknown): boolean => typeof value === "string" && value.length > 400;
