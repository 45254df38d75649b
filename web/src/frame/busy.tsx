import { Affix, Paper, Text } from "@mantine/core";
import { useBusy } from "../api/busy.ts";
import { useWords, type Words } from "../words/use-words.ts";

const WORDS: Words<{ busy: string }> = {
  en: { busy: "The service is busy. Trying again in a moment…" },
  "pt-BR": { busy: "O serviço está ocupado. Tentando de novo em instantes…" },
};

/** Says that calls wait because the service is busy. */
export function Busy() {
  const words = useWords(WORDS);
  const isBusy = useBusy();
  return (
    <Affix position={{ bottom: 16, left: 16 }} role="status">
      {isBusy && (
        <Paper withBorder shadow="sm" px="md" py="xs">
          <Text size="sm">{words.busy}</Text>
        </Paper>
      )}
    </Affix>
  );
}
