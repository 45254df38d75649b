import { Skeleton, Stack } from "@mantine/core";
import { useWords, type Words } from "../words/use-words.ts";

const WORDS: Words<{ loading: string }> = {
  en: { loading: "Loading…" },
  "pt-BR": { loading: "Carregando…" },
};

/** Placeholder lines while the first data of a screen is loading. */
export function Waiting({ lines = 6 }: { lines?: number }) {
  const words = useWords(WORDS);
  return (
    <Stack gap="sm" role="status">
      <span className="unseen">{words.loading}</span>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines never move
        <Skeleton key={line} height={line === 0 ? 28 : 44} width={line === 0 ? "35%" : "100%"} radius="md" />
      ))}
    </Stack>
  );
}
