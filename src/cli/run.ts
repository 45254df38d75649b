import { parseArgs } from "node:util";
import { readConfig } from "../config/config.ts";
import { Refusal } from "../core/refusal.ts";
import { mailsSettled } from "../domain/operation/mail/mail.ts";
import { type Opened, openService } from "../server/start.ts";
import { backupCommand, backupKey, backupList, backupVerify } from "./backup.ts";
import { type Command, type Options, UsageError } from "./command.ts";
import { demo } from "./demo.ts";
import { health } from "./health.ts";
import { importLeadsCommand } from "./import.ts";
import { keyCreate } from "./key.ts";
import { memberAdd, memberInvite } from "./member.ts";
import { migrateCommand } from "./migrate.ts";
import {
  personChangeEmail,
  personCreate,
  personEndFactors,
  personInstanceOwner,
  personResetPassword,
} from "./person.ts";
import { projectChange, projectCreate } from "./project.ts";
import { restoreCommand } from "./restore.ts";
import { restored } from "./restored.ts";
import { secretKeys } from "./secret-keys.ts";
import { serve } from "./serve.ts";

const COMMANDS: readonly Command[] = [
  serve,
  demo,
  migrateCommand,
  personCreate,
  personResetPassword,
  personChangeEmail,
  personEndFactors,
  personInstanceOwner,
  projectCreate,
  projectChange,
  memberAdd,
  memberInvite,
  keyCreate,
  importLeadsCommand,
  backupVerify,
  backupList,
  backupKey,
  backupCommand,
  restoreCommand,
  restored,
  secretKeys,
  health,
];

/** Runs a command line and returns the exit code: 0 done, 1 refused or failed, 2 not understood. */
export async function run(words: readonly string[]): Promise<number> {
  const json = words.includes("--json");
  const command = COMMANDS.find(({ name }) => name.split(" ").every((word, at) => words[at] === word));
  if (command === undefined) {
    print(process.stderr, `Commands:\n${COMMANDS.map(({ usage }) => `  leadgate ${usage}`).join("\n")}`);
    return 2;
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
        opened ??= await openService(
          { ...config, logLevel: config.logLevel === "info" ? "warn" : config.logLevel },
          { attach: true },
        );
        return opened.service;
      },
    });
    if (answer !== undefined) print(process.stdout, json ? JSON.stringify(answer) : readable(answer));
    return 0;
  } catch (error) {
    return report(error, command, json);
  } finally {
    // a mail that a command caused is sent, or has failed, before the process exits
    if (opened !== undefined) await mailsSettled();
    await opened?.close();
  }
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

const readable = (answer: object): string =>
  Object.entries(answer)
    .map(([key, value]) => `${key}: ${typeof value === "object" ? JSON.stringify(value) : String(value)}`)
    .join("\n");

const print = (stream: NodeJS.WriteStream, text: string): void => {
  stream.write(`${text}\n`);
};
