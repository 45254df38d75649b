import { Button, Group, Modal, SimpleGrid, Text } from "@mantine/core";
import { useLeadHere } from "../lead/context/lead-context.ts";
import { FACT_WORDS } from "../lead/values/value-words.ts";
import { LongText } from "../parts/long-text.tsx";
import { useFormat } from "../words/format.ts";
import { useWords } from "../words/use-words.ts";
import { factOf } from "./lead.ts";
import type { Conflict } from "./use-save.ts";
import { useValueText } from "./value-text.ts";

/** Two people gave a field a value at once: shows both and lets the person choose. */
export function ConflictDialog({
  conflict,
  onSettle,
}: {
  conflict: Conflict;
  onSettle(choice: "mine" | "theirs"): void;
}) {
  const words = useWords(FACT_WORDS);
  const { ago } = useFormat();
  const { fields } = useLeadHere();
  const textOf = useValueText();
  const { field, mine, theirs } = conflict;
  const when = typeof theirs.updated_at === "string" ? ago(theirs.updated_at) : "";
  return (
    <Modal opened onClose={() => onSettle("theirs")} title={words.conflict} withCloseButton={false}>
      <Text mb="md">{words.conflictWhat}</Text>
      <Text size="sm" fw={600} mb="xs">
        <bdi>{fields.get(field)?.label ?? field}</bdi>
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <div>
          <Text size="sm" c="dimmed">
            {words.theirs} · {when}
          </Text>
          <LongText text={textOf(field, factOf(theirs, field), theirs.currency)} />
        </div>
        <div>
          <Text size="sm" c="dimmed">
            {words.yours}
          </Text>
          <LongText text={textOf(field, mine, theirs.currency)} />
        </div>
      </SimpleGrid>
      <Group mt="xl" justify="flex-end">
        <Button variant="default" onClick={() => onSettle("theirs")} data-autofocus>
          {words.keepTheirs}
        </Button>
        <Button onClick={() => onSettle("mine")}>{words.useYours}</Button>
      </Group>
    </Modal>
  );
}
