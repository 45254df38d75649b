import type { History } from "../history.ts";
import { checkAnswers, checkReady } from "./answers.ts";
import type { Broken } from "./broken.ts";
import { checkFeed } from "./feed.ts";
import { checkExports, checkImports } from "./files.ts";
import { checkChanges, checkKept, checkVersions } from "./leads.ts";
import { checkLimits } from "./limits.ts";
import { checkTokens } from "./tokens.ts";
import { finalLeads } from "./writes.ts";

/** Returns every promise that this history breaks. It knows nothing but the history: no database, no service. */
export const check = (history: History): Broken[] => [
  ...checkKept(history),
  ...checkChanges(history),
  ...checkVersions(history),
  ...checkFeed(history),
  ...checkImports(history),
  ...checkExports(history),
  ...checkTokens(history),
  ...checkLimits(history),
  ...checkReady(history),
  ...checkAnswers(history),
  ...checkStored(history),
];

/** The tables agree with what the service answered. */
function checkStored(history: History): Broken[] {
  const count = finalLeads(history).leads.length;
  return history.flatMap((entry): Broken[] => {
    if (entry.kind !== "stored") return [];
    const { leads, unfinishedJobs } = entry;
    return [
      ...(leads === count
        ? []
        : [{ promise: "stored", what: `${leads} leads are stored, ${count} were listed` } as const]),
      ...(unfinishedJobs === 0
        ? []
        : [{ promise: "stored", what: `${unfinishedJobs} jobs are unfinished` } as const]),
    ];
  });
}
