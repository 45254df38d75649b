import { Button, Group, Paper, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import type { Lead } from "../../../src/contract/leads/lead.ts";
import { addressIn } from "../../../src/core/navigation.ts";
import { Empty } from "../parts/empty.tsx";
import { Page } from "../parts/screen.tsx";
import { useMay, useProject } from "../session/me.ts";
import { useFormat } from "../words/format.ts";
import { leadName } from "../words/lead-name.ts";
import { useWords } from "../words/use-words.ts";
import { LEAD_WORDS } from "./context/lead-words.ts";
import { EraseLead } from "./head/erase-lead.tsx";
import { useDeletion } from "./head/use-deletion.ts";

/** No such lead, or none that the person may see. */
export function NoLead({ place }: { place: string }) {
  const words = useWords(LEAD_WORDS);
  const { id } = useProject();
  return (
    <Page title={words.none}>
      <Paper>
        <Empty
          icon="leads"
          title={words.none}
          actions={
            <Button component={Link} to={addressIn(id, place)}>
              {words.toList}
            </Button>
          }
        >
          {words.noneWhat}
        </Empty>
      </Paper>
    </Page>
  );
}

/** A deleted lead: when it was deleted, and a button to restore it. */
export function DeletedLead({ lead, place }: { lead: Lead; place: string }) {
  const words = useWords(LEAD_WORDS);
  const { moment } = useFormat();
  const { id, role } = useProject();
  const mayWrite = useMay("leads:write");
  const { restore } = useDeletion(lead.id);
  const [erasing, setErasing] = useState(false);
  const name = leadName(lead) || words.nameless;
  return (
    <Page title={name}>
      <Paper p="xl">
        <Text component="h2" fw={650} mb={4}>
          {words.deletedTitle}
        </Text>
        <Text c="dimmed">
          {typeof lead.deleted_at === "string" && `${moment(lead.deleted_at)}. `}
          {words.deletedWhat}
        </Text>
        <Group mt="lg">
          {mayWrite && (
            <Button loading={restore.isPending} onClick={() => restore.mutate()}>
              {words.restore}
            </Button>
          )}
          <Button variant="default" component={Link} to={addressIn(id, place)}>
            {words.back}
          </Button>
          {role === "owner" && (
            <Button variant="subtle" color="red" onClick={() => setErasing(true)}>
              {words.erase}
            </Button>
          )}
        </Group>
      </Paper>
      {erasing && <EraseLead lead={lead} place={place} onClose={() => setErasing(false)} />}
    </Page>
  );
}
