import { endEverything } from "../domain/upkeep/end-everything.ts";
import type { Command } from "./command.ts";

/** To be run after a backup was restored: what was used up or revoked since may be alive again. */
export const restored: Command = {
  name: "restored",
  usage: "restored",
  options: {},
  required: [],
  async run({ service }) {
    return await endEverything(await service());
  },
};
