/**
 * Where the tables of the schema `leadgate` are on a cluster. Those of the schema `store` are distributed by project, beside
 * each other.
 */

/** On every node, because statements of a project read them; written rarely. A table comes after those that it refers to. */
export const REFERENCE = ["person", "client", "membership", "service_state"] as const;

/** Distributed by project like those of `store`. */
export const OF_PROJECTS = ["audit", "phone_to_read"] as const;

/** On the coordinator, with the reason. */
export const ON_COORDINATOR: Readonly<Record<string, string>> = {
  migration: "which migrations were applied is about the whole database",
  instance: "processes report to one place",
  backup_report: "backups are of the whole cluster",
  session: "signing in comes before any project",
  setup_link: "the first sign-in comes before any project",
  recovery_code: "signing in comes before any project",
  passkey: "signing in comes before any project",
  passkey_challenge: "signing in comes before any project",
  reset_link: "links of people, not of projects",
  reset_turn: "a limit of people, not of projects",
  new_email: "links of people, not of projects",
  sign_in_failure: "a limit of people, not of projects",
  recent_hit: "limits that must hold exactly, for all projects",
  registration_calls: "a limit of addresses",
  limit_turn: "one hit is one small write; REDIS_URL takes them off the coordinator",
  consent_choice: "what a person chose, across projects",
  project_to_erase: "the list of work that the sweep does",
};
