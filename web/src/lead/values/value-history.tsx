import { Button, Popover, Stack, Text, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import type { Field } from "../../../../src/contract/fields/fields.ts";
import { usePages } from "../../api/queries.ts";
import { IconHistory } from "../../look/icons.ts";
import { Problem } from "../../parts/problem.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { useFormat } from "../../words/format.ts";
import { useWords } from "../../words/use-words.ts";
import { useLeadHere } from "../context/lead-context.ts";
import { useWho } from "../context/use-who.ts";
import { ValueChange } from "./value-change.tsx";
import { VALUE_WORDS } from "./value-words.ts";
import styles from "./values.module.css";

/** Who set a field's value and when; opens its earlier values. */
export function ValueHistory({ field }: { field: Field }) {
  const { changes } = useLeadHere();
  const words = useWords(VALUE_WORDS);
  const who = useWho();
  const { ago, moment } = useFormat();
  const [open, setOpen] = useState(false);
  const last = changes?.find(({ type, data }) => type === "lead.updated" && data.field === field.name);
  const name = `${words.history}: ${field.label}`;
  const when = last === undefined ? "" : ago(last.occurred_at);
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-end"
      width={340}
      trapFocus
      returnFocus
      shadow="md"
    >
      <Popover.Target>
        <UnstyledButton
          className={last === undefined ? styles.clock : styles.origin}
          onClick={() => setOpen(!open)}
          title={last === undefined ? name : `${who(last)} · ${moment(last.occurred_at)}`}
          aria-label={last === undefined ? name : `${name}. ${who(last)}, ${when}`}
        >
          {last === undefined ? <IconHistory size={15} /> : when}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={name}>{open && <History field={field} />}</Popover.Dropdown>
    </Popover>
  );
}

function History({ field }: { field: Field }) {
  const { lead, custom, changes } = useLeadHere();
  const words = useWords(VALUE_WORDS);
  const who = useWho();
  const { moment } = useFormat();
  const { data, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = usePages(
    "events",
    "/v1/leads/{id}/events",
    { params: { id: lead.id }, query: { field: field.name, limit: 20 } },
  );
  if (isPending) return <Waiting lines={3} />;
  if (error !== null) return <Problem error={error} />;
  const events = data.pages.flatMap((page) => page.events);
  const made = changes?.find(({ type }) => type === "lead.created");
  const untracked = field.custom && custom.get(field.name.slice(7))?.timeline === false;
  return (
    <Stack gap="sm" className={styles.history}>
      <Text fw={600} size="sm">
        <bdi>{field.label}</bdi>
      </Text>
      {events.map((event) => (
        <div key={event.id}>
          <ValueChange field={field.name} from={event.data.from} to={event.data.to} />
          <Text size="xs" c="dimmed">
            <bdi>{who(event)}</bdi> · {moment(event.occurred_at)}
          </Text>
        </div>
      ))}
      {hasNextPage && (
        <Button
          variant="default"
          size="compact-sm"
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {words.more}
        </Button>
      )}
      {!hasNextPage && (
        <Text size="xs" c="dimmed">
          {untracked ? words.untracked : events.length === 0 ? words.unchanged : `${words.came}:`}
          {made !== undefined && (
            <>
              {" "}
              <bdi>{who(made)}</bdi> · {moment(made.occurred_at)}
            </>
          )}
        </Text>
      )}
    </Stack>
  );
}
