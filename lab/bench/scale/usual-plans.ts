import { Agent } from "node:http";
import { readConfig } from "../../../src/config/config.ts";
import { listen, openService } from "../../../src/server/start.ts";
import type { UsualProject } from "../../../test/api/filters/support/usual-data.ts";
import { Draw, USUAL } from "../../../test/api/filters/support/usual-queries.ts";
import { logSent, type SentStatement, waysOf } from "../../../test/citus/plans.ts";
import { SECRET_KEY } from "../../../test/processes/service-process.ts";
import { freePort } from "../../../test/world.ts";
import { callerOf, times } from "../usual/usual-caller.ts";

/** How the statements of the usual queries run, and the texts of those that do not go to one shard. */
export interface UsualPlans {
  queries: number;
  statements: number;
  oneShard: number;
  others: string[];
}

/**
 * Asks the usual queries of a project twice, by a service in this process, and explains each statement that was sent and that
 * names a table of the project.
 */
export async function usualPlans(
  url: string,
  project: UsualProject,
  random: () => number,
): Promise<UsualPlans> {
  const sent = logSent();
  const [auth, api] = [await freePort(), await freePort()];
  const baseUrl = `http://localhost:${api}`;
  const config = readConfig({
    ...{ DATABASE_URL: url, AUTH_URL: `http://localhost:${auth}`, BASE_URL: baseUrl, ROLE: "api" },
    ...{ SECRET_KEY, LOG_LEVEL: "error", LIMITS: JSON.stringify({ api: null }) },
  });
  const opened = await openService(config);
  const listening = await listen(opened.service, config);
  const asked = new Set<SentStatement>();
  try {
    const key = await keyOf(opened.service, project.id);
    const caller = await callerOf(
      { baseUrl, command: async () => ({ key }) },
      project,
      new Agent({ keepAlive: true }),
    );
    const before = new Set(sent.values());
    const draw = new Draw(random);
    for (const query of USUAL) await times(caller, query, draw, 2);
    for (const each of sent.values())
      if (!before.has(each) || /\bstore\.api_key\b/.test(each.text)) asked.add(each);
  } finally {
    await listening.stop();
    await opened.close();
  }
  const ofProjects = [...asked].filter(({ text }) => /\bproject_id\b/.test(text));
  const ways = await waysOf(url, ofProjects);
  const routed = [...ways].filter(([, way]) => way !== "coordinator");
  const others = routed.filter(([, way]) => way !== "one shard").map(([text, way]) => `${way}: ${text}`);
  return {
    queries: USUAL.length,
    statements: routed.length,
    oneShard: routed.length - others.length,
    others,
  };
}

async function keyOf(service: Parameters<typeof listen>[0], projectId: string): Promise<string> {
  const { perform } = await import("../../../src/domain/operation/operation.ts");
  const { createKey } = await import("../../../src/domain/api-keys/create-key.ts");
  const permissions = ["leads:read", "leads:write", "datasets:read"] as const;
  return (await perform(service, createKey, { personId: null, projectId }, { name: "bench", permissions }))
    .key;
}
