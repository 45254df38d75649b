import { pino } from "pino";
import type { World } from "../../world.ts";

/** Returns what the service logs from now on, a line each. */
export function linesOf({ service }: World): string[] {
  const lines: string[] = [];
  Object.assign(service.log, { [pino.symbols.streamSym]: { write: (line: string) => lines.push(line) } });
  return lines;
}
