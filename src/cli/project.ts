import { perform } from "../domain/operation/operation.ts";
import { changeProject } from "../domain/projects/change-project.ts";
import { createProjectFor } from "../domain/projects/create-project.ts";
import type { ProjectSettings } from "../domain/tenancy/project-settings.ts";
import { type Command, type Options, text, UsageError } from "./command.ts";
import { verifiedPersonByEmail } from "./person-by-email.ts";

/** The settings that both commands set; an empty country or currency unsets it. */
const SETTINGS = ["name", "timezone", "country", "currency"] as const;

const OPTIONS = {
  name: { type: "string" },
  timezone: { type: "string" },
  country: { type: "string" },
  currency: { type: "string" },
} as const;

const settingsOf = (options: Options): Partial<ProjectSettings> =>
  Object.fromEntries(SETTINGS.filter((name) => name in options).map((name) => [name, text(options, name)]));

const connectRolesIn = (options: Options): { connectRoles?: string[] } =>
  "connect-roles" in options
    ? {
        connectRoles: text(options, "connect-roles")
          .split(",")
          .map((role) => role.trim()),
      }
    : {};

function viewersExportIn(options: Options): { viewersExport?: boolean } {
  if (!("viewers-export" in options)) return {};
  const answer = text(options, "viewers-export");
  if (answer !== "yes" && answer !== "no") throw new UsageError("--viewers-export must be yes or no");
  return { viewersExport: answer === "yes" };
}

function sharedAddressesIn(options: Options): { refusesShared?: boolean } {
  if (!("shared-addresses" in options)) return {};
  const answer = text(options, "shared-addresses");
  if (answer !== "warn" && answer !== "refuse")
    throw new UsageError("--shared-addresses must be warn or refuse");
  return { refusesShared: answer === "refuse" };
}

export const projectCreate: Command = {
  name: "project create",
  usage:
    "project create --name NAME --owner ADDRESS [--timezone ZONE] [--country CODE] [--currency CODE]   (the owner has an account already)",
  options: { ...OPTIONS, owner: { type: "string" } },
  required: ["name", "owner"],
  async run({ options, service }) {
    const opened = await service();
    const owner = await verifiedPersonByEmail(opened.db, text(options, "owner"));
    const fresh = { ...settingsOf(options), name: text(options, "name") };
    return await createProjectFor(opened, owner.id, fresh);
  },
};

export const projectChange: Command = {
  name: "project change",
  usage:
    "project change --project ID [--name NAME] [--timezone ZONE] [--country CODE] [--currency CODE] [--connect-roles ROLE,…] [--viewers-export yes|no] [--shared-addresses warn|refuse]   (an empty CODE removes the value; roles that may connect applications: owner,admin,editor,viewer)",
  options: {
    ...OPTIONS,
    project: { type: "string" },
    "connect-roles": { type: "string" },
    "viewers-export": { type: "string" },
    "shared-addresses": { type: "string" },
  },
  required: ["project"],
  async run({ options, service }) {
    const wish = {
      ...settingsOf(options),
      ...connectRolesIn(options),
      ...viewersExportIn(options),
      ...sharedAddressesIn(options),
    };
    if (Object.keys(wish).length === 0) throw new UsageError("give at least one option to change");
    const projectId = text(options, "project");
    await perform(await service(), changeProject, { personId: null, projectId }, wish);
    return { id: projectId };
  },
};
