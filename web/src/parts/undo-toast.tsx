import { Button, Group } from "@mantine/core";
import { notifications } from "@mantine/notifications";

let told = 0;

/** Reports something with a button; the message stays until it is closed or the button is pressed. */
export function sayWithButton(message: string, button: string, run: () => void): void {
  told += 1;
  const id = `again ${told}`;
  const take = () => {
    notifications.hide(id);
    run();
  };
  notifications.show({
    id,
    color: "red",
    role: "alert",
    withBorder: true,
    autoClose: false,
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <span>{message}</span>
        <Button size="compact-sm" variant="default" flex="none" onClick={take}>
          {button}
        </Button>
      </Group>
    ),
  });
}

/** Reports that something was done, with a button to undo it. */
export function sayWithUndo(message: string, undo: string, run: () => void): void {
  told += 1;
  const id = `undo ${told}`;
  const take = () => {
    notifications.hide(id);
    run();
  };
  notifications.show({
    id,
    color: "pine",
    role: "status",
    withBorder: true,
    autoClose: 10_000,
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <span>{message}</span>
        <Button size="compact-sm" variant="light" onClick={take}>
          {undo}
        </Button>
      </Group>
    ),
  });
}
