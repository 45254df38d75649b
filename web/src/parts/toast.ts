import { notifications } from "@mantine/notifications";
import type { ReactNode } from "react";
import type { Locale } from "../words/use-words.ts";
import { sentenceOf } from "./problem.tsx";

/** Reports for a few seconds that something was done. */
export const done = (message: ReactNode): void => {
  notifications.show({ message, color: "pine", role: "status", withBorder: true });
};

/** Reports that something failed; stays until it is closed. */
export const failed = (locale: Locale, error: unknown, own?: Readonly<Record<string, string>>): void => {
  notifications.show({
    message: sentenceOf(locale, error, own),
    color: "red",
    role: "alert",
    autoClose: false,
    withBorder: true,
  });
};
