import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Answering, answerCommands } from "../../../src/cli/instance/answer.ts";
import { type World, type WorldOptions, world } from "../../world.ts";
import { type Ended, ran } from "./leadgate.ts";

/** A running instance that performs commands. */
export interface Performing extends AsyncDisposable {
  the: World;
  dataDir: string;
  socket: string;
  answering: Answering;
  /** Runs a command that has no setting but DATA_DIR and these. */
  leadgate(words: readonly string[], env?: Record<string, string>, input?: string): Promise<Ended>;
}

/** Returns an instance with a data folder of its own. */
export async function performing(options: WorldOptions = {}): Promise<Performing> {
  const the = await world(options);
  const folder = await mkdtemp(join(tmpdir(), "leadgate-commands-"));
  const dataDir = join(folder, "data");
  const answering = await answerCommands({ ...the.config, dataDir }, the);
  return {
    ...{ the, dataDir, answering, socket: join(dataDir, "commands/socket") },
    leadgate: (words, env = {}, input = "") =>
      ran(words, { env: { PATH: process.env.PATH ?? "", DATA_DIR: dataDir, ...env }, input }),
    async [Symbol.asyncDispose]() {
      await answering.stop(0);
      await the[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
