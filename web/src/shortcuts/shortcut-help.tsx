import { Anchor, Group, Modal, Stack, Text } from "@mantine/core";
import { presentMe } from "../session/session.ts";
import { useWords, type Words } from "../words/use-words.ts";
import { keyNames } from "./keys.ts";
import { useShortcuts } from "./use-shortcut.ts";

const WORDS: Words<{ title: string; off: string; on: string }> = {
  en: {
    title: "Keyboard shortcuts",
    off: "Turn off single-key shortcuts in your account",
    on: "Single-key shortcuts are off. Turn them on in your account",
  },
  "pt-BR": {
    title: "Atalhos do teclado",
    off: "Desativar na sua conta os atalhos de uma só tecla",
    on: "Os atalhos de uma só tecla estão desativados. Ative-os na sua conta",
  },
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
        <Anchor size="sm" mt="sm" href="/account#shortcuts">
          {presentMe().singleKeys ? words.off : words.on}
        </Anchor>
      </Stack>
    </Modal>
  );
}
