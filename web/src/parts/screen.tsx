import { Box, Group, Text, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { useProject } from "../session/me.ts";

/**
 * A screen: its heading (also the document title), its purpose, its actions and its content. `wide` uses the full
 * width, for tables; otherwise lines stay short enough to read.
 */
export function Page(parts: {
  title: string;
  lead?: string | undefined;
  actions?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}) {
  const { name } = useProject();
  const { title } = parts;
  useEffect(() => {
    document.title = `${title} · ${name} · Leadgate`;
  }, [title, name]);
  return (
    <Box maw={parts.wide === true ? undefined : "56rem"}>
      <Group justify="space-between" align="flex-start" mb="lg" gap="md">
        <Box>
          <Title order={1} tabIndex={-1}>
            <bdi>{title}</bdi>
          </Title>
          {parts.lead !== undefined && (
            <Text c="dimmed" mt={4} maw="42rem">
              {parts.lead}
            </Text>
          )}
        </Box>
        {parts.actions !== undefined && <Group gap="xs">{parts.actions}</Group>}
      </Group>
      {parts.children}
    </Box>
  );
}
