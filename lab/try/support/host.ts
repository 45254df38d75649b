import type { ScriptedModel } from "../models/scripted-model.ts";
import type { Ended, ProgramOptions } from "./program.ts";

/** Where a host runs: a home of its own, the service's URL, a model, and a way to start programs there. */
export interface Setting {
  home: string;
  /** The URL of the MCP server. */
  url: string;
  model: ScriptedModel;
  /** The folder of the installed package. */
  folder: string;
  /** The environment of its programs. */
  env: Record<string, string>;
  run(words: readonly string[], options?: Partial<ProgramOptions>): Promise<Ended>;
}

/** What is typed into a host's terminal. */
export type Typed = NonNullable<ProgramOptions["terminal"]>;

/** A program that uses MCP servers: how each step is done with its own commands and files. */
export interface Host {
  name: string;
  package: string;
  version: string;
  /** Who makes its calls: a command of its own, or the scripted model. */
  calls: "command" | "model";
  /** Adds the server. */
  add(setting: Setting): Promise<Ended>;
  /** Authorizes by a command; without it, the host does so when it connects. */
  login?(setting: Setting): Promise<Ended>;
  /** Forgets the authorization by a command. */
  logout?(setting: Setting): Promise<Ended>;
  /** Lists the server or its tools by a command. */
  list?(setting: Setting): Promise<Ended>;
  /** Calls a tool: by a command, or in a conversation in which the model was told to call it. */
  call(setting: Setting, tool: string, args: object): Promise<Ended>;
}
