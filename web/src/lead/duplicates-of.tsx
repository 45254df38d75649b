import { Button, Group, Paper, Text, Title } from "@mantine/core";
import { useState } from "react";
import { useNavigate } from "react-router";
import type { Lead } from "../../../src/contract/leads/lead.ts";
import { useRead } from "../api/queries.ts";
import { CompareLeads } from "../duplicates/compare-leads.tsx";
import { REASONS } from "../duplicates/duplicate-words.ts";
import { LinkToLead } from "../duplicates/link-to-lead.tsx";
import { leadAddress } from "../records/lead.ts";
import { useProject } from "../session/me.ts";
import { useFormat } from "../words/format.ts";
import { useWords, type Words } from "../words/use-words.ts";
import { useLeadHere } from "./context/lead-context.ts";
import styles from "./lead.module.css";

const WORDS: Words<{ title(count: number): string; compare: string; more: string }> = {
  en: {
    title: (count) => (count === 1 ? "This may be a duplicate" : `${count} leads may be the same person`),
    compare: "Compare and merge",
    more: "Show all",
  },
  "pt-BR": {
    title: (count) =>
      count === 1 ? "Este lead pode estar duplicado" : `${count} leads podem ser a mesma pessoa`,
    compare: "Comparar e mesclar",
    more: "Mostrar todos",
  },
};

const FIRST = 3;

/** Leads that may be the same person as this one, with the reasons and a link to merge them. */
export function DuplicatesOf({ place }: { place: string }) {
  const { lead, mayWrite } = useLeadHere();
  const words = useWords(WORDS);
  const reasons = useWords(REASONS);
  const { list, percent } = useFormat();
  const go = useNavigate();
  const { id: projectId } = useProject();
  const { data } = useRead("duplicates", "/v1/leads/{id}/duplicates", { params: { id: lead.id } });
  const [comparing, setComparing] = useState<Lead>();
  const [all, setAll] = useState(false);
  const found = data?.duplicates ?? [];
  if (found.length === 0) return null;
  const merged = (survivor: string) => {
    setComparing(undefined);
    if (survivor !== lead.id) void go(leadAddress(projectId, survivor, place), { replace: true });
  };
  return (
    <Paper
      component="section"
      aria-label={words.title(found.length)}
      p="md"
      className={styles.likeness ?? ""}
    >
      <Title order={2} fz="sm">
        {words.title(found.length)}
      </Title>
      {(all ? found : found.slice(0, FIRST)).map((each) => (
        <Group key={each.lead.id} justify="space-between" py={6} gap="xs">
          <div>
            <LinkToLead lead={each.lead} from={place} />
            <Text size="xs" c="dimmed">
              <bdi>
                {list(
                  each.reasons.map(
                    ({ code, value }) => `${reasons[code]}${value === null ? "" : ` ${value}`}`,
                  ),
                )}
              </bdi>{" "}
              · {percent(each.score)}
            </Text>
          </div>
          {mayWrite && (
            <Button size="xs" variant="default" onClick={() => setComparing(each.lead)}>
              {words.compare}
            </Button>
          )}
        </Group>
      ))}
      {!all && found.length > FIRST && (
        <Button size="xs" variant="default" onClick={() => setAll(true)}>
          {words.more}
        </Button>
      )}
      {comparing !== undefined && (
        <CompareLeads
          one={lead}
          other={comparing}
          onClose={() => setComparing(undefined)}
          onMerged={merged}
        />
      )}
    </Paper>
  );
}
