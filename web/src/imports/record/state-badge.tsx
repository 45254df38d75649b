import { Badge } from "@mantine/core";
import { useWords } from "../../words/use-words.ts";
import type { State } from "./import-record.ts";
import { STATES } from "./import-words.ts";

const COLORS: Record<State, string> = {
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

/** Where an import stands, in words. */
export const StateBadge = ({ state }: { state: State }) => (
  <Badge variant="default" tt="none" fw={600} leftSection={<Dot color={COLORS[state]} />}>
    {useWords(STATES)[state]}
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
