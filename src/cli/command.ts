import type { Config } from "../config/config.ts";
import type { Service } from "../domain/operation/service/service.ts";

/** Words of a command after its name, as `--option value`. */
export type Options = Record<string, string | boolean | undefined>;

/** One command: what it is called, what it takes, and what it answers (printed as JSON with --json). */
export interface Command {
  /** The words that call it: `person create`. */
  name: string;
  usage: string;
  options: Record<string, { type: "string" | "boolean" }>;
  required: readonly string[];
  /** Commands on data get an opened service; `serve`, `demo` and `migrate` open what they need. */
  run(context: CommandContext): Promise<object | undefined>;
}

interface CommandContext {
  config: Config;
  options: Options;
  /** Opens the service beside a running server, once. */
  service(): Promise<Service>;
}

/** A required text option; `run` has made sure that it is there. */
export function text(options: Options, name: string): string {
  const value = options[name];
  if (typeof value !== "string") throw new UsageError(`--${name} is required`);
  return value;
}

/** A call that cannot be understood: exit code 2 and the usage. */
export class UsageError extends Error {}
