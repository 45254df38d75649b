import { ColorSwatch } from "@mantine/core";
import { statusColor } from "./status-color.ts";

/** A status's colour, beside its name, which says the same in words. */
export const StatusDot = ({ statuses, status }: { statuses: readonly string[]; status: string }) => (
  <ColorSwatch
    component="span"
    size={12}
    withShadow={false}
    color={`var(--mantine-color-${statusColor(statuses, status)}-filled)`}
    aria-hidden
  />
);
