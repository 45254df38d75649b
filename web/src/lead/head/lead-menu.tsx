import { ActionIcon, Group, Menu, Tooltip } from "@mantine/core";
import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { addressIn } from "../../../../src/core/navigation.ts";
import { IconArrowBackUp, IconDots, IconEraser, IconLink, IconTrash } from "../../look/icons.ts";
import { useCopy } from "../../parts/use-copy.ts";
import { leadAddress } from "../../records/lead.ts";
import { useProject } from "../../session/me.ts";
import { useCommand } from "../../shortcuts/commands.ts";
import { useWords } from "../../words/use-words.ts";
import { useLeadHere } from "../context/lead-context.ts";
import { LEAD_WORDS } from "../context/lead-words.ts";
import { EraseLead } from "./erase-lead.tsx";
import { useDeletion } from "./use-deletion.ts";

/** The link to copy, its changes, and the rare actions: delete, and for owners erase. */
export function LeadMenu({ place }: { place: string }) {
  const { lead, mayWrite } = useLeadHere();
  const words = useWords(LEAD_WORDS);
  const { id: projectId, role } = useProject();
  const { remove } = useDeletion(lead.id);
  const [erasing, setErasing] = useState(false);
  const copyText = useCopy();
  const copy = () => copyText(location.origin + leadAddress(projectId, lead.id));
  useCommand(words.delete, mayWrite ? () => remove.mutate() : undefined);
  useCommand(words.copyLink, copy);
  const go = useNavigate();
  const history = addressIn(projectId, `history?lead=${encodeURIComponent(lead.id)}`);
  useCommand(words.changes, () => void go(history));
  return (
    <Group gap="xs" wrap="nowrap" flex="none">
      <Tooltip label={words.copyLink}>
        <ActionIcon variant="default" size={36} aria-label={words.copyLink} onClick={copy}>
          <IconLink size={18} />
        </ActionIcon>
      </Tooltip>
      <Menu position="bottom-end" withinPortal={false} shadow="md">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={words.more} loading={remove.isPending}>
            <IconDots size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item component={Link} to={history} leftSection={<IconArrowBackUp size={16} />}>
            {words.changes}
          </Menu.Item>
          {mayWrite && (
            <Menu.Item leftSection={<IconTrash size={16} />} onClick={() => remove.mutate()}>
              {words.delete}
            </Menu.Item>
          )}
          {role === "owner" && (
            <Menu.Item
              c="var(--warn)"
              leftSection={<IconEraser size={16} />}
              onClick={() => setErasing(true)}
            >
              {words.erase}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {erasing && <EraseLead lead={lead} place={place} onClose={() => setErasing(false)} />}
    </Group>
  );
}
