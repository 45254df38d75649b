import type { PresetField } from "./preset.ts";

/** What the columns of Outlook fill. */
export type OutlookField = Extract<
  PresetField,
  | ("first_name" | "last_name" | "company" | "job_title" | "email" | "emails" | "phone" | "phones")
  | ("city" | "state" | "country" | "website" | "tags" | "note")
>;

/**
 * The headers of one language, by the field that they fill. Outlook has no main phone: that is the mobile one here. Numbers of the
 * company, fax, cars and pagers are left out, and so are words for a name such as `Nome`, which pairs of headers explain.
 */
export type OutlookLanguage = Readonly<Record<OutlookField, readonly string[]>>;
