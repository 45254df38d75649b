import { continueFeed } from "../domain/upkeep/continue-feed.ts";
import { endEverything } from "../domain/upkeep/end-everything.ts";
import type { Command } from "./command.ts";

/**
 * To be run after restoring a backup, which may make used-up or revoked secrets valid again. Data that was moved while
 * nothing wrote lost nothing: then only the feed needs to go on behind its events.
 */
export const restored: Command = {
  name: "restored",
  usage: "restored [--nothing-lost]",
  options: { "nothing-lost": { type: "boolean" } },
  required: [],
  async run({ service, options }) {
    if (options["nothing-lost"] !== true) return await endEverything(await service());
    await continueFeed(await service());
    return { ended: 0, cursors: "valid" };
  },
};
