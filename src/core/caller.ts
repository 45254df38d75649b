import type { Permission } from "./permission.ts";

/** Whoever acts inside one project: a key, an application for a person, or a person. */
export interface Member {
  kind: "key" | "application" | "person";
  /** The id of the key, the authorization or the person. */
  id: string;
  /** What the timeline shows as the actor. */
  label: string;
  projectId: string;
  permissions: readonly Permission[];
}
