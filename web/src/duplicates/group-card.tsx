import { Badge, Button, Paper, Radio, Group as Row, Text, Title } from "@mantine/core";
import { useId, useState } from "react";
import type { Lead } from "../../../src/contract/leads/lead.ts";
import type { Likeness } from "../../../src/contract/lists/duplicates.ts";
import type { DuplicateGroup } from "../../../src/contract/merges.ts";
import { useProjectSchema } from "../records/project-schema.ts";
import { StatusDot } from "../statuses/status-dot.tsx";
import { useFormat } from "../words/format.ts";
import { leadName } from "../words/lead-name.ts";
import { useWords } from "../words/use-words.ts";
import { CompareLeads } from "./compare-leads.tsx";
import { DUPLICATE_WORDS, GROUP, REASONS } from "./duplicate-words.ts";
import styles from "./duplicates.module.css";
import { LinkToLead } from "./link-to-lead.tsx";

/** A group: the value they share, the leads, and which one to keep. */
export function GroupCard({
  group,
  by,
  mayWrite,
}: {
  group: DuplicateGroup;
  by: Likeness;
  mayWrite: boolean;
}) {
  const words = useWords(DUPLICATE_WORDS);
  const reasons = useWords(REASONS);
  const sizes = useWords(GROUP);
  const { number, phone } = useFormat();
  const name = useId();
  const [kept, setKept] = useState<string>();
  const [comparing, setComparing] = useState<Lead>();
  const [first] = group.leads;
  if (first === undefined) return null;
  const main = group.leads.find(({ id }) => id === kept) ?? first;
  const shared =
    by === "name_and_company"
      ? [leadName(first), first.company].filter((each) => typeof each === "string").join(" · ")
      : by === "phone"
        ? phone(String(first.phone_e164 ?? ""))
        : by === "conflict"
          ? reasons.conflict
          : String(first.email ?? "").toLowerCase();
  const from = by === "email" ? "duplicates" : `duplicates?by=${by}`;
  return (
    <Paper component="section" aria-label={`${reasons[by]}: ${shared}`} p="md">
      <Row justify="space-between" mb="xs" wrap="nowrap">
        <Title order={2} fz="md">
          <bdi className={styles.clamp}>{shared}</bdi>
        </Title>
        <Badge variant="default" tt="none" fw={500} flex="none">
          {sizes.size(number(group.count))}
        </Badge>
      </Row>
      <ul className={styles.leads}>
        {group.leads.map((lead) => (
          <li key={lead.id} className={styles.lead}>
            {mayWrite && (
              <Radio
                name={name}
                checked={lead.id === main.id}
                onChange={() => setKept(lead.id)}
                aria-label={`${words.keep}: ${leadName(lead).slice(0, 100)}`}
                label={words.keep}
                size="xs"
              />
            )}
            <div className={styles.who}>
              <LinkToLead lead={lead} from={from} />
              <About lead={lead} />
            </div>
            {mayWrite && lead.id !== main.id && (
              <Button size="xs" variant="default" onClick={() => setComparing(lead)}>
                {words.compare}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {group.count > group.leads.length && (
        <Text size="sm" c="dimmed" mt="xs">
          {sizes.more(number(group.count - group.leads.length))}
        </Text>
      )}
      {comparing !== undefined && (
        <CompareLeads
          one={main}
          other={comparing}
          onClose={() => setComparing(undefined)}
          onMerged={() => setComparing(undefined)}
        />
      )}
    </Paper>
  );
}

/** What distinguishes a lead of the group from the others. */
function About({ lead }: { lead: Lead }) {
  const { statuses } = useProjectSchema();
  const words = useWords(DUPLICATE_WORDS);
  const { phone, moment } = useFormat();
  const { email, company } = lead;
  const number = lead.phone_e164 ?? lead.phone;
  const parts = [company, email, typeof number === "string" ? phone(number) : null].filter(
    (each): each is string => typeof each === "string" && each !== "",
  );
  return (
    <Text size="sm" c="dimmed" component="div" className={styles.about}>
      <span className={styles.status}>
        <StatusDot statuses={statuses} status={lead.status} />
        <bdi>{lead.status}</bdi>
      </span>
      {parts.map((part) => (
        <bdi key={part} className={styles.part}>
          {part}
        </bdi>
      ))}
      <span>
        {words.created} {moment(String(lead.created_at))}
      </span>
    </Text>
  );
}
