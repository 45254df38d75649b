import type { Locale } from "../../../core/locale.ts";

/** Somebody who signs in. */
export interface Person {
  id: string;
  email: string;
  name: string;
  /** The language they chose; null follows the browser. */
  locale: Locale | null;
}
