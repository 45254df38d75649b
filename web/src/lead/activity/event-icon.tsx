import type { ComponentType } from "react";
import {
  IconActivity,
  IconCalendarEvent,
  IconChecklist,
  IconEye,
  IconForms,
  IconGitMerge,
  IconMail,
  IconMessage,
  IconNote,
  IconPencil,
  IconPhone,
  IconPlus,
  IconRestore,
  IconTrash,
  IconTrophy,
} from "../../look/icons.ts";
import styles from "./activity.module.css";

type Drawn = ComponentType<{ size?: number }>;

const BY_TYPE: Readonly<Record<string, Drawn>> = {
  "lead.created": IconPlus,
  "lead.updated": IconPencil,
  "lead.deleted": IconTrash,
  "lead.restored": IconRestore,
  "lead.merged": IconGitMerge,
  "lead.unmerged": IconGitMerge,
};

const BY_NOUN: Readonly<Record<string, Drawn>> = {
  note: IconNote,
  task: IconChecklist,
  email: IconMail,
  message: IconMessage,
  call: IconPhone,
  form: IconForms,
  page: IconEye,
  meeting: IconCalendarEvent,
  deal: IconTrophy,
};

/** The icon of an event type. The title next to it says the same in words. */
export function EventIcon({ type }: { type: string }) {
  const noun = type.split(".")[0] ?? "";
  const own = Object.hasOwn(BY_TYPE, type) ? BY_TYPE[type] : undefined;
  const Drawing = own ?? (Object.hasOwn(BY_NOUN, noun) ? BY_NOUN[noun] : undefined) ?? IconActivity;
  return (
    <span className={styles.icon} aria-hidden>
      <Drawing size={15} />
    </span>
  );
}
