import { Textarea } from "@mantine/core";
import { useState } from "react";
import { useWords } from "../../words/use-words.ts";
import { PANEL_WORDS } from "../words/panel-words.ts";

/** A value that no other editor can show, as JSON; it changes whenever the text is valid JSON. */
export function JsonField(field: { value: unknown; label: string; onChange(value: unknown): void }) {
  const words = useWords(PANEL_WORDS);
  const [draft, setDraft] = useState(() => JSON.stringify(field.value, undefined, 1) ?? "");
  const [wrong, setWrong] = useState(false);
  return (
    <Textarea
      aria-label={`${words.json}: ${field.label}`}
      value={draft}
      autosize
      minRows={1}
      maxRows={10}
      flex={1}
      error={wrong ? words.badJson : undefined}
      styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
      spellCheck={false}
      onChange={({ currentTarget }) => {
        setDraft(currentTarget.value);
        try {
          const value: unknown = JSON.parse(currentTarget.value);
          setWrong(false);
          field.onChange(value);
        } catch {
          setWrong(true);
        }
      }}
    />
  );
}
