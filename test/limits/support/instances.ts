import type { Config } from "../../../src/config/config.ts";
import type { KeyActor, World } from "../../world.ts";
import { world } from "../../world.ts";

/** Returns LIMITS with these buckets, and with all other limits off. */
export const limits = (buckets: object): string =>
  JSON.stringify({ registration: { perHour: 10_000 }, ...buckets });

/** Starts two instances of the service on one database. */
export async function twoInstances(
  buckets: object,
  more: Record<string, string> = {},
  config: Partial<Config> = {},
): Promise<AsyncDisposable & { first: World; second: World }> {
  const env = { LIMITS: limits(buckets), ...more };
  const first = await world({ env, config });
  const second = await world({ env: { ...env, DATABASE_URL: first.databaseUrl }, config });
  return {
    first,
    second,
    async [Symbol.asyncDispose]() {
      await second[Symbol.asyncDispose]();
      await first[Symbol.asyncDispose]();
    },
  };
}

/** Requests a page of leads with a key at an instance. */
const pageAt = ({ baseUrl }: World, projectId: string, key: string): Promise<Response> =>
  fetch(`${baseUrl}/api/leads/query/`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ project_id: projectId }),
  });

/** Returns the number of responses by status, as "200x3 429x37". */
export async function tally(calls: readonly Promise<Response>[]): Promise<string> {
  const answers = await Promise.all(calls);
  await Promise.all(answers.map((answer) => answer.arrayBuffer()));
  return [...Map.groupBy(answers, ({ status }) => status)]
    .sort(([a], [b]) => a - b)
    .map(([status, { length }]) => `${status}x${length}`)
    .join(" ");
}

/** Sends so many calls with a key at once, alternating between the instances. */
export const rush = (instances: readonly World[], key: KeyActor, calls: number): Promise<string> =>
  tally(
    Array.from({ length: calls }, (_, i) => {
      const instance = instances[i % instances.length];
      if (instance === undefined) throw new Error("no instance");
      return pageAt(instance, instances[0]?.project.id ?? "", key.text);
    }),
  );
