import { Button, Checkbox, Popover, ScrollArea, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { IconColumns3 } from "../../look/icons.ts";
import { useWords } from "../../words/use-words.ts";
import { LEAD_LIST_WORDS } from "../list/lead-list-words.ts";
import type { LeadColumn } from "./columns.ts";
import type { Layout } from "./use-layout.ts";

/** Chooses the columns: visible ones first, in their order. */
export function ColumnsMenu(menu: {
  all: readonly LeadColumn[];
  layout: Layout;
  onLayout(changed: Partial<Layout>): void;
}) {
  const { all, layout, onLayout } = menu;
  const words = useWords(LEAD_LIST_WORDS);
  const [opened, setOpened] = useState(false);
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      shadow="md"
      trapFocus
      returnFocus
      width={280}
    >
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconColumns3 size={16} />}
          onClick={() => setOpened(!opened)}
          aria-expanded={opened}
        >
          {words.columns}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs" aria-label={words.columns}>
        {opened && <Choices all={all} layout={layout} onLayout={onLayout} />}
      </Popover.Dropdown>
    </Popover>
  );
}

function Choices({ all, layout, onLayout }: Parameters<typeof ColumnsMenu>[0]) {
  const words = useWords(LEAD_LIST_WORDS);
  const [find, setFind] = useState("");
  const { columns } = layout;
  // keep the order from when the menu was opened, so that nothing jumps under the pointer
  const [order] = useState(() =>
    all.toSorted((one, other) => place(columns, one.name) - place(columns, other.name)),
  );
  const wanted = find.trim().toLowerCase();
  const toggle = (name: string) =>
    onLayout({
      columns: columns.includes(name) ? columns.filter((each) => each !== name) : [...columns, name],
    });
  return (
    <Stack gap="xs">
      <TextInput
        size="xs"
        aria-label={words.findColumn}
        placeholder={words.findColumn}
        value={find}
        onChange={({ currentTarget }) => setFind(currentTarget.value)}
        data-autofocus
      />
      <ScrollArea.Autosize mah={320} type="auto">
        <Stack gap={8} p={4}>
          {order
            .filter(({ label }) => label.toLowerCase().includes(wanted))
            .map(({ name, label }) => (
              <Checkbox
                key={name}
                size="sm"
                label={<bdi>{label}</bdi>}
                checked={columns.includes(name)}
                disabled={columns.length === 1 && columns.includes(name)}
                onChange={() => toggle(name)}
              />
            ))}
        </Stack>
      </ScrollArea.Autosize>
    </Stack>
  );
}

const place = (columns: readonly string[], name: string): number => {
  const at = columns.indexOf(name);
  return at < 0 ? columns.length : at;
};
