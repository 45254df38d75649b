import { Affix, Paper, Text } from "@mantine/core";
import { useBusy } from "../api/busy.ts";
import { useWords, type Words } from "../words/use-words.ts";

const WORDS: Words<{ busy: string }> = {
  en: { busy: "The service is busy. Trying again in a moment…" },
  "pt-BR": { busy: "O serviço está ocupado. Tentando de novo em instantes…" },
};

/**
 * Says that calls wait because the service is busy: over dialogs, in a line so low that it covers nothing but the margin
 * of the screen, and that clicks pass through.
 */
export function Busy() {
  const words = useWords(WORDS);
  const isBusy = useBusy();
  return (
    <Affix position={{ bottom: 0, left: 0 }} zIndex={450} role="status" style={{ pointerEvents: "none" }}>
      {isBusy && (
        <Paper withBorder radius={0} px="sm">
          <Text size="xs" lh="1.25rem">
            {words.busy}
          </Text>
        </Paper>
      )}
    </Affix>
  );
}
