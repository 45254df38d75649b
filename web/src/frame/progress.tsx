import { Progress as Bar } from "@mantine/core";
import { useWords, type Words } from "../words/use-words.ts";

const WORDS: Words<{ loading: string }> = { en: { loading: "Loading" }, "pt-BR": { loading: "Carregando" } };

/** The bar shown while a screen loads. */
export const Progress = () => (
  <Bar
    value={100}
    animated
    size={3}
    radius={0}
    pos="fixed"
    top={0}
    left={0}
    right={0}
    style={{ zIndex: 120 }}
    aria-label={useWords(WORDS).loading}
  />
);
