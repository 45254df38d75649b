import { notifications } from "@mantine/notifications";
import type { ReactNode } from "react";
import type { Locale } from "../words/use-words.ts";
import { againIn, mayPass, sentenceOf } from "./problem.tsx";
import { sayWithButton } from "./undo-toast.tsx";

/** Reports for a few seconds that something was done. */
export const done = (message: ReactNode): void => {
  notifications.show({ message, color: "pine", role: "status", withBorder: true });
};

/** Reports something that the person should not miss; stays until it is closed. */
export const stays = (message: string): void => {
  notifications.show({ message, color: "pine", role: "status", autoClose: false, withBorder: true });
};

/**
 * Reports that something failed; stays until it is closed. With `again`, what the service did not get, or failed at, can
 * be sent again: give it only for what may be sent twice.
 */
export const failed = (
  locale: Locale,
  error: unknown,
  own?: Readonly<Record<string, string>>,
  again?: () => void,
): void => {
  const message = sentenceOf(locale, error, own);
  if (again !== undefined && mayPass(error)) sayWithButton(message, againIn(locale), again);
  else notifications.show({ message, color: "red", role: "alert", autoClose: false, withBorder: true });
};
