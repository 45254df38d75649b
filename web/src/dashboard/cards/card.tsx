import { Group, Paper, Skeleton, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { Problem } from "../../parts/problem.tsx";
import styles from "./cards.module.css";

/** The queries of a card; the first error is shown. */
interface Asked {
  error: unknown;
  isPending: boolean;
  isPlaceholderData: boolean;
  refetch(): unknown;
}

/** One figure of the dashboard: its title, a sentence that sums it up, and its content once loaded. */
export function Card(card: {
  title: string;
  sentence?: string | undefined;
  actions?: ReactNode;
  wide?: "two" | "half";
  asked: readonly Asked[];
  children: ReactNode;
}) {
  const { asked } = card;
  const id = useId();
  const failed = asked.find(({ error }) => error !== null);
  const isPending = asked.some(({ isPending }) => isPending);
  const isOld = asked.some(({ isPlaceholderData }) => isPlaceholderData);
  return (
    <Paper
      component="section"
      className={styles.card ?? ""}
      data-wide={card.wide}
      aria-labelledby={id}
      aria-busy={isPending || isOld}
    >
      <Group justify="space-between" gap="xs" mb={2} className={styles.cardHead ?? ""}>
        <Title order={2} id={id} className={styles.cardTitle ?? ""}>
          {card.title}
        </Title>
        {card.actions}
      </Group>
      {failed !== undefined ? (
        <Problem
          error={failed.error}
          again={() => {
            for (const each of asked) if (each.error !== null) void each.refetch();
          }}
        />
      ) : isPending ? (
        <Stack gap={14} mt="md" aria-hidden>
          {["70%", "100%", "85%", "55%", "40%"].map((width) => (
            <Skeleton key={width} height={16} width={width} />
          ))}
        </Stack>
      ) : (
        <div className={styles.cardBody} data-old={isOld || undefined}>
          <Text size="sm" c="dimmed" mb="sm" className={styles.sentence ?? ""}>
            {card.sentence}
          </Text>
          {card.children}
        </div>
      )}
    </Paper>
  );
}
