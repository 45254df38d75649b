import { Box, Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";

let told = 0;

/** A button of a message; pressing it closes the message. */
export interface ToastButton {
  label: string;
  run(): void;
}

interface Toast {
  message: string;
  buttons: readonly ToastButton[];
  /** Milliseconds until it closes; false if it stays until it is closed or a button is pressed. */
  autoClose: number | false;
  /** Whether it reports a failure. */
  failed?: boolean;
  /** A message replaces the one with the same name. */
  name?: string;
}

/** Reports something with buttons. */
function sayWithButtons({ message, buttons, autoClose, failed = false, name }: Toast): void {
  told += 1;
  const id = name ?? `toast ${told}`;
  notifications.hide(id);
  notifications.show({
    id,
    color: failed ? "red" : "pine",
    role: failed ? "alert" : "status",
    withBorder: true,
    autoClose,
    message: (
      <Group justify="space-between" gap="xs">
        <Box flex="1 1 11rem">{message}</Box>
        <Group gap={4} ml="auto">
          {buttons.map(({ label, run }) => (
            <Button
              key={label}
              size="compact-sm"
              variant={failed ? "default" : "light"}
              onClick={() => {
                notifications.hide(id);
                run();
              }}
            >
              {label}
            </Button>
          ))}
        </Group>
      </Group>
    ),
  });
}

/** Reports something with a button; the message stays until it is closed or the button is pressed. */
export const sayWithButton = (message: string, label: string, run: () => void): void =>
  sayWithButtons({ message, buttons: [{ label, run }], autoClose: false, failed: true });

/** Reports that something was done, with buttons. It closes after ten seconds, unless it `stays`. */
export const sayWithUndo = (
  message: string,
  buttons: readonly ToastButton[],
  { stays = false, name }: { stays?: boolean; name?: string } = {},
): void =>
  sayWithButtons({
    message,
    buttons,
    autoClose: stays ? false : 10_000,
    ...(name !== undefined && { name }),
  });
