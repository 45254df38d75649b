import process from "node:process";
import { parseArgs } from "node:util";
import { readConfig } from "../config/config.ts";
import { Refusal } from "../core/refusal.ts";
import type { Opened } from "../server/start.ts";
import { type Command, type Options, UsageError } from "./command.ts";

/**
 * The commands by the words that select them. Only the one that runs is loaded, since some need almost nothing and run often, as
 * `health` does.
 */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import("./serve.ts")).serve,
  demo: async () => (await import("./demo.ts")).demo,
  migrate: async () => (await import("./migrate.ts")).migrateCommand,
  distribute: async () => (await import("./distribute.ts")).distributeCommand,
  upgrade: async () => (await import("./upgrade.ts")).upgrade,
  "person create": async () => (await import("./person.ts")).personCreate,
  "person reset-password": async () => (await import("./person.ts")).personResetPassword,
  "person change-email": async () => (await import("./person.ts")).personChangeEmail,
  "person end-factors": async () => (await import("./person.ts")).personEndFactors,
  "person instance-owner": async () => (await import("./person.ts")).personInstanceOwner,
  "project create": async () => (await import("./project.ts")).projectCreate,
  "project change": async () => (await import("./project.ts")).projectChange,
  "member add": async () => (await import("./member.ts")).memberAdd,
  "member invite": async () => (await import("./member.ts")).memberInvite,
  "key create": async () => (await import("./key.ts")).keyCreate,
  "import leads": async () => (await import("./import.ts")).importLeadsCommand,
  "backup verify": async () => (await import("./backup.ts")).backupVerify,
  "backup list": async () => (await import("./backup.ts")).backupList,
  "backup key": async () => (await import("./backup.ts")).backupKey,
  backup: async () => (await import("./backup.ts")).backupCommand,
  restore: async () => (await import("./restore.ts")).restoreCommand,
  restored: async () => (await import("./restored.ts")).restored,
  "secret-keys": async () => (await import("./secret-keys.ts")).secretKeys,
  "server-json": async () => (await import("./server-json.ts")).serverJson,
  health: async () => (await import("./health.ts")).health,
};

/** Returns all commands, in the order in which they are shown. */
export const allCommands = (): Promise<Command[]> =>
  Promise.all(Object.values(COMMANDS).map((load) => load()));

/** Runs a command line and returns the exit code: 0 done, 1 refused or failed, 2 not understood. */
export async function run(words: readonly string[]): Promise<number> {
  const json = words.includes("--json");
  const isHelp = words.includes("--help");
  const load = Object.entries(COMMANDS).find(([name]) =>
    name.split(" ").every((word, at) => words[at] === word),
  )?.[1];
  const command = await load?.();
  if (isHelp || command === undefined) {
    const shown = command === undefined ? await allCommands() : [command];
    print(isHelp ? process.stdout : process.stderr, `Commands:\n${shown.map(helpOf).join("\n")}`);
    return isHelp ? 0 : 2;
  }
  let opened: Opened | undefined;
  try {
    const values: Options = parseArgs({
      args: words.slice(command.name.split(" ").length),
      options: { ...command.options, json: { type: "boolean" } },
    }).values;
    const missing = command.required.filter((name) => values[name] === undefined);
    if (missing.length > 0) throw new UsageError(`--${missing.join(", --")} missing`);
    const config = readConfig();
    const answer = await command.run({
      config,
      options: values,
      service: async () => {
        const { openService } = await import("../server/start.ts");
        opened ??= await openService(
          { ...config, logLevel: config.logLevel === "info" ? "warn" : config.logLevel },
          { attach: true },
        );
        return opened.service;
      },
    });
    if (answer !== undefined) print(process.stdout, json ? JSON.stringify(answer) : readable(answer));
    // an answer may have set another one
    return Number(process.exitCode ?? 0);
  } catch (error) {
    return report(error, command, json);
  } finally {
    if (opened !== undefined) await ended(opened);
  }
}

async function ended({ close }: Opened): Promise<void> {
  const { mailsSettled } = await import("../domain/operation/mail/mail.ts");
  // A mail that a command caused is sent, or has failed, before the process exits.
  await mailsSettled();
  await close();
}

function report(error: unknown, command: Command, json: boolean): number {
  const message = error instanceof Error ? error.message : String(error);
  const usage =
    error instanceof UsageError || (error as { code?: string }).code?.startsWith("ERR_PARSE_ARGS") === true;
  if (json)
    print(
      process.stdout,
      JSON.stringify({ error: { code: error instanceof Refusal ? error.code : "failed", message } }),
    );
  else print(process.stderr, usage ? `${message}\nUsage: leadgate ${command.usage}` : `leadgate: ${message}`);
  if (!(error instanceof Refusal) && !usage && error instanceof Error && error.cause instanceof Error) {
    print(process.stderr, `  because: ${error.cause.message}`);
  }
  return usage ? 2 : 1;
}

/** The usage of a command, with what it does on a line of its own. */
const helpOf = ({ usage }: Command): string => {
  const [line = "", does = ""] = usage.split(/ {3}\(|\)$/);
  return `  leadgate ${line}\n      ${does}`;
};

const readable = (answer: object): string =>
  Object.entries(answer)
    .map(([key, value]) => `${key}: ${typeof value === "object" ? JSON.stringify(value) : String(value)}`)
    .join("\n");

const print = (stream: NodeJS.WriteStream, text: string): void => {
  stream.write(`${text}\n`);
};
