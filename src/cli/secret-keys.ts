import { keyUse, resealSecrets } from "../domain/upkeep/key-use.ts";
import type { Command } from "./command.ts";

/** What each secret key is still needed for, by its fingerprint. */
export const secretKeys: Command = {
  name: "secret-keys",
  usage:
    "secret-keys [--reseal]   (what each key of SECRET_KEY is still needed for; --reseal moves the secrets of authenticator apps and the keys of suppressions to the newest)",
  options: { reseal: { type: "boolean" } },
  required: [],
  async run({ options, service }) {
    const opened = await service();
    if (options.reseal === true) await resealSecrets(opened);
    return await keyUse(opened);
  },
};
