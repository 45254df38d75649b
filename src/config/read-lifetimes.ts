import { membersOf } from "./json-setting.ts";

/** The lifetime of each kind of secret, in seconds. */
export interface Lifetimes {
  code: number;
  access: number;
  refresh: number;
  session: number;
}

const USUAL: Lifetimes = { code: 600, access: 3_600, refresh: 90 * 86_400, session: 7 * 86_400 };
const MOST = 1_000_000_000;

/** Reads LIFETIMES; throws an error that names the invalid part. */
export function readLifetimes(given: unknown): Lifetimes {
  const asked = membersOf("LIFETIMES", given, Object.keys(USUAL));
  for (const [name, value] of Object.entries(asked)) {
    if (typeof value === "number" && value > 0 && value <= MOST) continue;
    throw new Error(
      `LIFETIMES: ${name} is ${JSON.stringify(value)}; it must be a number of seconds above 0 and up to ${MOST}.`,
    );
  }
  return { ...USUAL, ...asked };
}
