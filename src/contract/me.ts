import type { Locale } from "../core/locale.ts";
import type { Permission, Role } from "../core/permission.ts";

/** A project of the signed-in person, and what they may do in it. */
export interface PanelProject {
  id: string;
  name: string;
  role: Role;
  timezone: string;
  country: string | null;
  currency: string | null;
  permissions: readonly Permission[];
  /** Whether the person may take leads out in bulk, which the project may withhold from its viewers. */
  mayExport: boolean;
  /** Whether the person manages keys, members and settings. */
  manages: boolean;
}

/** The person at the panel, their projects and permissions, and their session's anti-forgery token. */
export interface Me {
  person: { id: string; name: string; email: string; ownsInstance: boolean };
  locale: Locale;
  /** Whether the panel has shortcuts of a single key. */
  singleKeys: boolean;
  projects: readonly PanelProject[];
  /** The base URL of the API for programs. */
  apiUrl: string;
  /** Sent with every write. */
  token: string;
}
