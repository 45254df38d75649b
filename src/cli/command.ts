import type { Config } from "../config/config.ts";
import type { ExaminedSettings } from "../config/examine.ts";
import type { Service } from "../domain/operation/service/service.ts";
import type { Terminal } from "./instance/terminal.ts";

/** The options of a command, as `--option value`. */
export type Options = Record<string, string | boolean | undefined>;

/** A command: its name, its options, and the result it returns (printed as JSON with --json). */
export interface Command {
  /** The words that select it: `person create`. */
  name: string;
  usage: string;
  options: Record<string, { type: "string" | "boolean" }>;
  required: readonly string[];
  /** Its result has links, which need AUTH_URL. */
  makesLinks?: true;
  /** What it mails with SMTP_URL: "the invitation". */
  mails?: string;
  /** It looks at settings themselves: it runs with invalid ones, and the running instance looks at those of the client, too. */
  examinesSettings?: true;
  /** Whether a result is a failure; the exit code is then 1. */
  isFailure?(answer: object): boolean;
  /** Commands on data use `service`; `serve`, `demo` and `migrate` open what they need. */
  run(context: CommandContext): Promise<object | undefined>;
  /** Returns the result as text for people; without it, it is printed member by member. */
  readable?(answer: object): string;
}

interface CommandContext {
  /** The settings; throws when it is read if one of them is wrong. */
  readonly config: Config;
  options: Options;
  terminal: Terminal;
  /** For a command that examines settings. */
  readonly examined: ExaminedSettings;
  /** PostgreSQL's URL, also of the embedded database, if the running instance performs the command. */
  databaseUrl: string | undefined;
  /** Opens the service once; this works next to a running server. */
  service(): Promise<Service>;
}

/** Returns a required text option; `run` has checked that it is given. */
export function text(options: Options, name: string): string {
  const value = options[name];
  if (typeof value !== "string") throw new UsageError(`--${name} is required`);
  return value;
}

/** A command line that cannot be parsed: exit code 2 and the usage. */
export class UsageError extends Error {}
