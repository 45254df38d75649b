import { setTimeout as sleep } from "node:timers/promises";
import { bodyOf } from "../../api/support/v1.ts";
import { writer } from "../../api/support/writing.ts";
import { everyNode } from "../../citus/every-node.ts";
import { addTrigger } from "../../citus/triggers.ts";
import type { KeyActor, World } from "../../world.ts";

/** A setting with few places, in which requests wait for as long as a test needs. */
export const admission = (settings: object): Record<string, string> => ({
  ADMISSION: JSON.stringify({ inFlight: 2, waiting: 2, waitMs: 60_000, ...settings }),
});

/** Calls that stay in flight until they are released. */
export interface Stuck extends AsyncDisposable {
  /** Sends calls that the database keeps waiting. */
  send(key: KeyActor, count: number): Promise<Response>[];
  /** Lets them end. */
  release(): Promise<void>;
}

let stuckSoFar = 0;

/**
 * Makes changes of fields work until they are released. They look again and again instead of waiting for a lock: nobody is
 * blamed for calls that wait for somebody else's lock, once the service has noticed it.
 */
export async function stuck(the: World): Promise<Stuck> {
  const holder = await everyNode(the);
  await holder.query("SELECT pg_advisory_lock(0)");
  stuckSoFar += 1;
  await addTrigger(
    the,
    `stuck_${stuckSoFar}`,
    "BEFORE UPDATE ON store.custom_field FOR EACH ROW",
    "WHILE NOT pg_try_advisory_xact_lock_shared(0) LOOP PERFORM pg_sleep(0.02); END LOOP; RETURN NEW;",
  );
  let released: Promise<void> | undefined;
  const release = () => {
    released ??= holder.end();
    return released;
  };
  return {
    send: (key, count) =>
      Array.from({ length: count }, (_, n) =>
        key.send("PATCH", "/api/v1/fields/plan", { label: `Plan ${n}` }),
      ),
    release,
    [Symbol.asyncDispose]: release,
  };
}

/** A key that may write, of a project with the field `plan`. The service has accepted it. */
export async function acceptedKey(the: World, projectId = the.project.id): Promise<KeyActor> {
  const key = await writer(the, projectId);
  await bodyOf(await key.send("POST", "/api/v1/fields", { key: "plan", label: "Plan", type: "text" }), 201);
  return key;
}

/** Waits until as many requests are in flight and waiting. */
export async function until(the: World, inFlight: number, waiting: number): Promise<void> {
  for (;;) {
    const [inside, queued] = await placesOf(the);
    if (inside === inFlight && queued === waiting) return;
    await sleep(20);
  }
}

/** Returns how many requests are in flight and waiting, as the metrics say. */
export async function placesOf(the: World): Promise<[inFlight: number, waiting: number]> {
  const text = await (await fetch(`${the.baseUrl}/metrics`)).text();
  const of = (name: string) => Number(new RegExp(`^${name} (\\d+)`, "m").exec(text)?.[1] ?? Number.NaN);
  return [of("leadgate_requests_in_flight"), of("leadgate_requests_waiting")];
}
