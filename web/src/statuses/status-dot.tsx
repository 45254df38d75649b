import { ColorSwatch } from "@mantine/core";
import { statusColor } from "./status-color.ts";

/** The color of a status. Its name stands next to it, so color is not the only sign. */
export const StatusDot = ({ statuses, status }: { statuses: readonly string[]; status: string }) => (
  <ColorSwatch
    component="span"
    size={12}
    withShadow={false}
    color={`var(--mantine-color-${statusColor(statuses, status)}-filled)`}
    aria-hidden
  />
);
