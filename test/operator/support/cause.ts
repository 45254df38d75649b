import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { endedExport, fill, startedExport } from "../../api/support/exports.ts";
import { formOf } from "../../browser.ts";
import { heldLead } from "../../held-lead.ts";
import { type KeyActor, type World, world } from "../../world.ts";
import { scrape, sum } from "./scrape.ts";

const FULL = 12;
/** A person whose mails the mail server of `busy` refuses. */
export const UNKNOWN = "nobody@example.org";

/** A service in which the functions below cause what metrics count. */
export const busy = (smtpUrl: string, env: Record<string, string> = {}): Promise<World> =>
  world({
    env: {
      SMTP_URL: smtpUrl,
      ADMISSION: JSON.stringify({
        ...{ inFlight: FULL, perOwner: FULL, waiting: 10, waitMs: 60_000, loopDelayMs: 60_000 },
      }),
      // Files of more than 100 ids do not fit.
      EXPORTS: JSON.stringify({ keptBytes: 4_200 }),
      TIME_LIMITS: JSON.stringify({ fast: 0.5, query: 15, wait: 1.5 }),
      ...env,
    },
  });

async function shows(the: World, series: string, value: number): Promise<void> {
  while (sum(await scrape(the.baseUrl), series) !== value) await sleep(20);
}

/**
 * Fills the process with changes of a locked lead until one more request waits for a slot and some changes are refused, because
 * their project has its share of the connections. Returns how many were refused.
 */
export async function crowded(the: World, key: KeyActor): Promise<number> {
  await using held = await heldLead(the, key);
  const writes = Array.from({ length: FULL }, (_, score) =>
    key.send("PATCH", `/api/v1/leads/${held.id}`, { score }),
  );
  await shows(the, "leadgate_requests_in_flight ", FULL);
  // Takes the slot of the first change that is refused.
  const page = fetch(`${the.authUrl}/sign-in`);
  await shows(the, "leadgate_requests_waiting ", 1);
  assert.equal((await page).status, 200);
  await shows(the, 'leadgate_lane_work{lane="long",state="waiting"}', 0);
  await held.holder.query("COMMIT");
  const statuses = (await Promise.all(writes)).map(({ status }) => status);
  // 503 where a part of the change may have been made.
  const refused = statuses.filter((status) => status === 429 || status === 503);
  assert.equal(statuses.filter((status) => status === 200).length, FULL - refused.length, String(statuses));
  return refused.length;
}

/** Reads leads while they are locked, which ends in the slow lane. */
export async function slowRead(the: World, key: KeyActor): Promise<void> {
  const holder = new pg.Client({ connectionString: the.databaseUrl });
  await holder.connect();
  try {
    await holder.query("BEGIN; LOCK TABLE store.lead IN ACCESS EXCLUSIVE MODE");
    const answer = key.query({ limit: 1 });
    await shows(the, 'leadgate_lane_work{lane="slow",state="running"}', 1);
    await holder.query("COMMIT");
    assert.equal((await answer).headers.get("x-leadgate-lane"), "slow");
  } finally {
    await holder.end();
  }
}

/** Makes an export, and one whose file is too large. */
export async function exported(the: World): Promise<void> {
  const { id } = await the.newProject(the.person);
  await fill(the, 200, id);
  const key = await the.key(["leads:read"], id);
  const file = { columns: ["id"], format: "ndjson" };
  const states = [100, 200].map(async (limit) => {
    const started = await startedExport(key, { ...file, limit });
    return (await endedExport(key, started.id)).state;
  });
  assert.deepEqual(await Promise.all(states), ["done", "failed"]);
}

/** Asks for a new password for this address. */
export async function forgot(the: World, email: string): Promise<void> {
  const visitor = the.browser();
  const form = await formOf(await visitor.get("/forgot"));
  assert.equal((await visitor.post("/forgot", { ...form.hidden, email })).status, 200);
}

/** Adds the person whose mails are refused. */
export const addUnknown = async (the: World): Promise<void> => {
  const { id } = await the.newPerson("Nobody");
  await the.sql("UPDATE person SET email = $2 WHERE id = $1", [id, UNKNOWN]);
};
