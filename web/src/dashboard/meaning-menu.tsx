import { ActionIcon, MultiSelect, Popover, Text, Tooltip } from "@mantine/core";
import { useState } from "react";
import { IconAdjustments } from "../look/icons.ts";
import { useChangeStatuses } from "../statuses/use-change-statuses.ts";
import { useWords } from "../words/use-words.ts";
import { DASHBOARD_WORDS } from "./data/dashboard-words.ts";
import { meaningsOf, type Outcomes } from "./data/outcome.ts";

/** Sets which statuses count as won and which as lost, for everyone in the project. */
export function MeaningMenu({ statuses, outcomes }: { statuses: readonly string[]; outcomes: Outcomes }) {
  const { mutate } = useChangeStatuses();
  const words = useWords(DASHBOARD_WORDS);
  const [opened, setOpened] = useState(false);
  const choice = (which: "won" | "lost", other: "won" | "lost") => (
    <MultiSelect
      mt="sm"
      label={words[`${which}Statuses`]}
      comboboxProps={{ withinPortal: false }}
      data={[...new Set([...statuses, ...outcomes[which]])].filter((each) => !outcomes[other].includes(each))}
      value={[...outcomes[which]]}
      onChange={(chosen) =>
        mutate({
          to: (list) => [...list],
          meanings: meaningsOf(statuses, { ...outcomes, [which]: chosen }),
          said: words.meaningSaved,
        })
      }
    />
  );
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      shadow="md"
      width={320}
      trapFocus
      radius="lg"
    >
      <Popover.Target>
        <Tooltip label={words.meaning} disabled={opened}>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={words.meaning}
            onClick={() => setOpened((open) => !open)}
          >
            <IconAdjustments size={18} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label={words.meaning}>
        <Text size="sm" c="dimmed">
          {words.meaningWhat}
        </Text>
        {choice("won", "lost")}
        {choice("lost", "won")}
      </Popover.Dropdown>
    </Popover>
  );
}
