import { Box, Group, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import type { IconName } from "../../../src/core/icons.ts";
import { Icon } from "./icon.tsx";

/** An empty state: why there is nothing here, and what to do about it. */
export const Empty = ({
  icon,
  title,
  children,
  actions,
}: {
  icon: IconName;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
}) => (
  <Box ta="center" py={48} px="md" maw={480} mx="auto">
    <Text component="div" c="dimmed" fz={28} mb="sm">
      <Icon name={icon} />
    </Text>
    <Title order={2} mb={4}>
      {title}
    </Title>
    <Text c="dimmed">{children}</Text>
    {actions !== undefined && (
      <Group justify="center" mt="lg">
        {actions}
      </Group>
    )}
  </Box>
);
