import { SegmentedControl, useMantineColorScheme } from "@mantine/core";
import { LOOKS, type Look } from "../../../src/core/look.ts";
import { useWords, type Words } from "../words/use-words.ts";

const WORDS: Words<Record<Look | "title", string>> = {
  en: { title: "Appearance", light: "Light", dark: "Dark", auto: "System" },
  "pt-BR": { title: "Aparência", light: "Claro", dark: "Escuro", auto: "Sistema" },
};

/** A switch between light, dark and the system's appearance. */
export function LookChoice() {
  const words = useWords(WORDS);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      fullWidth
      size="xs"
      mb={4}
      aria-label={words.title}
      value={colorScheme}
      onChange={setColorScheme}
      data={LOOKS.map((value) => ({ value, label: words[value] }))}
    />
  );
}
