import { parseArgs } from "node:util";
import { type Config, readConfig } from "../config/config.ts";
import { type ExaminedSettings, examineSettings } from "../config/examine.ts";
import { Refusal } from "../core/refusal.ts";
import type { Opened } from "../server/start.ts";
import { type Command, type Options, UsageError } from "./command.ts";
import { ownTerminal, type Terminal } from "./instance/terminal.ts";

/** Who performs a command: the running instance of DATA_DIR if there is one, or always this process. */
type Performer = "instance" | "process";

/**
 * The commands by the words that select them. Only the one that runs is loaded, since some need almost nothing and run often, as
 * `health` does. This process performs what serves, what works on a database that no instance may use, and what takes long.
 */
const COMMANDS: Readonly<Record<string, [Performer, () => Promise<Command>]>> = {
  serve: ["process", async () => (await import("./serve.ts")).serve],
  demo: ["process", async () => (await import("./demo.ts")).demo],
  migrate: ["process", async () => (await import("./migrate.ts")).migrateCommand],
  distribute: ["process", async () => (await import("./distribute.ts")).distributeCommand],
  upgrade: ["process", async () => (await import("./upgrade.ts")).upgrade],
  "person create": ["instance", async () => (await import("./person.ts")).personCreate],
  "person reset-password": ["instance", async () => (await import("./person.ts")).personResetPassword],
  "person change-email": ["instance", async () => (await import("./person.ts")).personChangeEmail],
  "person end-factors": ["instance", async () => (await import("./person.ts")).personEndFactors],
  "person instance-owner": ["instance", async () => (await import("./person.ts")).personInstanceOwner],
  "project create": ["instance", async () => (await import("./project.ts")).projectCreate],
  "project change": ["instance", async () => (await import("./project.ts")).projectChange],
  "member add": ["instance", async () => (await import("./member.ts")).memberAdd],
  "member invite": ["instance", async () => (await import("./member.ts")).memberInvite],
  "key create": ["instance", async () => (await import("./key.ts")).keyCreate],
  "import leads": ["instance", async () => (await import("./import.ts")).importLeadsCommand],
  "backup verify": ["process", async () => (await import("./backup.ts")).backupVerify],
  "backup list": ["process", async () => (await import("./backup.ts")).backupList],
  "backup key": ["process", async () => (await import("./backup.ts")).backupKey],
  backup: ["process", async () => (await import("./backup.ts")).backupCommand],
  restore: ["process", async () => (await import("./restore.ts")).restoreCommand],
  restored: ["instance", async () => (await import("./restored.ts")).restored],
  doctor: ["instance", async () => (await import("./doctor.ts")).doctor],
  "secret-keys": ["instance", async () => (await import("./secret-keys.ts")).secretKeys],
  "server-json": ["instance", async () => (await import("./server-json.ts")).serverJson],
  health: ["process", async () => (await import("./health.ts")).health],
};

/** Returns all commands, in the order in which they are shown. */
export const allCommands = (): Promise<Command[]> =>
  Promise.all(Object.values(COMMANDS).map(([, load]) => load()));

/** What a running instance gives to a command: its settings, and the terminal of the client. */
interface Given {
  config: Config;
  terminal: Terminal;
  /** For a command that examines settings. */
  examined: ExaminedSettings | undefined;
}

/** Runs a command line and returns the exit code: 0 done, 1 refused or failed, 2 not understood. */
export async function run(words: readonly string[], given?: Given): Promise<number> {
  const json = words.includes("--json");
  const isHelp = words.includes("--help");
  const terminal = given?.terminal ?? ownTerminal;
  const [by, load] =
    Object.entries(COMMANDS).find(([name]) => name.split(" ").every((word, at) => words[at] === word))?.[1] ??
    [];
  const command = await load?.();
  if (isHelp || command === undefined) {
    const shown = command === undefined ? await allCommands() : [command];
    terminal[isHelp ? "out" : "err"](`Commands:\n${shown.map(helpOf).join("\n")}`);
    return isHelp ? 0 : 2;
  }
  let opened: Opened | undefined;
  try {
    if (given !== undefined && by !== "instance")
      throw new Error(`The running instance does not perform "${command.name}".`);
    const values: Options = parseArgs({
      args: words.slice(command.name.split(" ").length),
      options: { ...command.options, json: { type: "boolean" } },
    }).values;
    const missing = command.required.filter((name) => values[name] === undefined);
    if (missing.length > 0) throw new UsageError(`--${missing.join(", --")} missing`);
    let read = given?.config;
    const settings = () => {
      read ??= command.examinesSettings ? examineSettings().config : readConfig();
      return read;
    };
    const isAlone = given === undefined && by === "instance";
    if (isAlone) {
      const { askInstance } = await import("./instance/ask.ts");
      const { examinesSettings = false } = command;
      const code = await askInstance({
        ...{ config: settings(), words, values: Object.values(values), terminal, examinesSettings },
      });
      if (code !== undefined) return code;
    }
    const unknown = isAlone && !command.examinesSettings ? await unknownTo(command, settings()) : undefined;
    const answer = await command.run({
      get config() {
        return settings();
      },
      options: values,
      terminal,
      get examined() {
        return given?.examined ?? examineSettings();
      },
      databaseUrl: given?.config.databaseUrl,
      service: async () => {
        const config = settings();
        const { openService } = await import("../server/start.ts");
        opened ??= await openService(
          { ...config, logLevel: config.logLevel === "info" ? "warn" : config.logLevel },
          {
            attach: true,
            ...(given === undefined ? {} : { logTo: { write: (line) => terminal.err(line.trimEnd()) } }),
          },
        );
        return opened.service;
      },
    });
    if (unknown !== undefined) terminal.err(`leadgate: ${unknown}`);
    const shown = unknown !== undefined && command.makesLinks && json ? { ...answer, note: unknown } : answer;
    if (shown !== undefined)
      terminal.out(json ? JSON.stringify(shown) : (command.readable ?? readable)(shown));
    return answer !== undefined && command.isFailure?.(answer) ? 1 : 0;
  } catch (error) {
    return report(error, command, json, terminal);
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

/**
 * Returns what is said about a result without a running instance: that nothing was mailed, if SMTP_URL is not given. Refuses a command
 * whose links or mails need AUTH_URL, and one that would make a database next to the one of the service.
 */
async function unknownTo(command: Command, config: Config): Promise<string | undefined> {
  const { refuseOtherDatabase } = await import("./instance/absent.ts");
  refuseOtherDatabase(config);
  const { makesLinks, mails } = command;
  if ((makesLinks || (mails !== undefined && config.smtpUrl !== undefined)) && !config.isSet.authUrl)
    throw new Error(
      "AUTH_URL is not given, and no running instance answers that knows the URL of its links. Start the service, or set AUTH_URL " +
        "(to http://localhost:3000 if the service has none).",
    );
  if (mails === undefined || config.isSet.smtpUrl) return undefined;
  return `SMTP_URL is not given, and no running instance answers that knows it: ${mails} was not mailed.`;
}

function report(error: unknown, command: Command, json: boolean, terminal: Terminal): number {
  const message = error instanceof Error ? error.message : String(error);
  const usage =
    error instanceof UsageError || (error as { code?: string }).code?.startsWith("ERR_PARSE_ARGS") === true;
  if (json)
    terminal.out(
      JSON.stringify({ error: { code: error instanceof Refusal ? error.code : "failed", message } }),
    );
  else terminal.err(usage ? `${message}\nUsage: leadgate ${command.usage}` : `leadgate: ${message}`);
  if (!(error instanceof Refusal) && !usage && error instanceof Error && error.cause instanceof Error) {
    terminal.err(`  because: ${error.cause.message}`);
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
