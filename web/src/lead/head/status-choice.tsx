import { Select, UnstyledButton } from "@mantine/core";
import { useRef } from "react";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { StatusDot } from "../../statuses/status-dot.tsx";
import { useWords, type Words } from "../../words/use-words.ts";
import { useLeadHere } from "../context/lead-context.ts";
import { LEAD_WORDS } from "../context/lead-words.ts";
import styles from "./head.module.css";

const CHANGED: Words<(status: string) => string> = {
  en: (status) => `Status changed to ${status}`,
  "pt-BR": (status) => `Status alterado para ${status}`,
};

/** Up to this many statuses are buttons; more are a list. */
const MOST = 8;

/** Sets the status with one click; `s` moves the focus here. */
export function StatusChoice() {
  const { lead, statuses, mayWrite, save } = useLeadHere();
  const words = useWords(LEAD_WORDS);
  const changed = useWords(CHANGED);
  const place = useRef<HTMLDivElement>(null);
  useShortcut(
    "s",
    words.status,
    () => place.current?.querySelector<HTMLElement>("[data-first], input")?.focus(),
    {
      enabled: mayWrite,
    },
  );
  const become = (status: string) =>
    void save("status", status, { said: changed(status.slice(0, 60).toWellFormed()), optimistic: true });
  const all = statuses.includes(lead.status) ? statuses : [lead.status, ...statuses];
  if (all.length > MOST)
    return (
      <div ref={place}>
        <Select
          aria-label={words.setStatus}
          data={[...all]}
          value={lead.status}
          onChange={(status) => status !== null && become(status)}
          allowDeselect={false}
          disabled={!mayWrite}
          searchable
          maw={280}
        />
      </div>
    );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset draws a border and requires a legend
    <div ref={place} role="group" aria-label={words.setStatus} className={styles.statuses}>
      {all.map((status) => (
        <UnstyledButton
          key={status}
          className={styles.status}
          aria-pressed={status === lead.status}
          data-first={status === lead.status || undefined}
          disabled={!mayWrite}
          onClick={() => become(status)}
        >
          <StatusDot statuses={statuses} status={status} />
          <bdi>{status}</bdi>
        </UnstyledButton>
      ))}
    </div>
  );
}
