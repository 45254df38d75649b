import { Group, Modal, Stack, Text } from "@mantine/core";
import { useWords, type Words } from "../words/use-words.ts";
import { keyNames } from "./keys.ts";
import { useShortcuts } from "./use-shortcut.ts";

const WORDS: Words<{ title: string }> = {
  en: { title: "Keyboard shortcuts" },
  "pt-BR": { title: "Atalhos do teclado" },
};

/** Lists every shortcut of the current screen. */
export default function ShortcutHelp({ onClose }: { onClose(): void }) {
  const words = useWords(WORDS);
  return (
    <Modal opened onClose={onClose} title={words.title}>
      <Stack gap="xs">
        {useShortcuts().map(({ keys, what }) => (
          <Group key={`${keys} ${what}`} justify="space-between" wrap="nowrap">
            <Text size="sm">{what}</Text>
            <Group gap={4} wrap="nowrap">
              {keyNames(keys).map((name) => (
                <kbd className="lg-key" key={name}>
                  {name}
                </kbd>
              ))}
            </Group>
          </Group>
        ))}
      </Stack>
    </Modal>
  );
}
