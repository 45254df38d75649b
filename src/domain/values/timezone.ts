import { bad } from "./bad-input.ts";

const KNOWN = new Map<string, boolean>();

/** Refuses what is not the name of a zone; offsets are none, because SQL reads their sign the other way round. */
export function checkTimezone(name: string): void {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(name) || !isKnown(name)) {
    bad("$.timezone", "unknown_timezone", "must be an IANA time zone, such as America/Sao_Paulo");
  }
}

/** Rethrows an error of the database; a zone that Node knows and this PostgreSQL does not (22023) is a bad input. */
export function zoneUnknown(error: { code?: string }): never {
  if (error.code !== "22023") throw error;
  bad("$.timezone", "unknown_timezone", "is a time zone that the database does not know");
}

function isKnown(name: string): boolean {
  const remembered = KNOWN.get(name);
  if (remembered !== undefined) return remembered;
  let known = true;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
  } catch {
    known = false;
  }
  if (KNOWN.size < 1_000) KNOWN.set(name, known);
  return known;
}
