import type { Config } from "./config.ts";

/** Returns the address by which this machine reaches a listener on HOST. */
export function hereOf({ host }: Pick<Config, "host">): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}
