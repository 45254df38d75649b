import { Badge } from "@mantine/core";
import type { ImportState } from "../../../../src/contract/lists/states.ts";
import { useWords } from "../../words/use-words.ts";
import { IMPORT_STATES } from "./import-words.ts";

const COLORS: Record<ImportState, string> = {
  ready: "gray",
  checking: "blue",
  waiting: "blue",
  running: "blue",
  done: "pine",
  failed: "red",
  cancelled: "gray",
  undoing: "blue",
  undone: "gray",
};

/** The state of an import as a badge. */
export const StateBadge = ({ state }: { state: ImportState }) => (
  <Badge variant="default" tt="none" fw={600} leftSection={<Dot color={COLORS[state]} />}>
    {useWords(IMPORT_STATES)[state]}
  </Badge>
);

const Dot = ({ color }: { color: string }) => (
  <span
    aria-hidden
    style={{
      display: "inline-block",
      width: 8,
      height: 8,
      borderRadius: "50%",
      background: `var(--mantine-color-${color}-filled)`,
    }}
  />
);
