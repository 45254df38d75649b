import { endEverything } from "../domain/upkeep/end-everything.ts";
import type { Command } from "./command.ts";

/** To be run after restoring a backup, which may make used-up or revoked secrets valid again. */
export const restored: Command = {
  name: "restored",
  usage: "restored",
  options: {},
  required: [],
  async run({ service }) {
    return await endEverything(await service());
  },
};
