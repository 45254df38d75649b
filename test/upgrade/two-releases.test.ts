import assert from "node:assert/strict";
import { dataFolder } from "../embedded/support/rig.ts";
import { large } from "../large.ts";
import { world } from "../world.ts";
import { begun, type Instance, until } from "./support/process.ts";
import { unpacked } from "./support/releases.ts";

const EXPAND = "-- A probe.\n-- expand\nALTER TABLE service_state ADD probe text;\n";
const CONTRACT = "-- No probe.\n-- contract, needs 99.1.0\nALTER TABLE service_state DROP probe;\n";
const REFUSAL = /The database was upgraded and needs Leadgate 99\.1\.0 or newer; this is \d/;

/** It may be the first test that packs the release, which builds the panel: five minutes were too few on a busy machine. */
const PATIENCE = { timeout: 900_000 };

large(
  "two releases serve one database without losing a write; what would end the older one waits until it has left, and refuses it then",
  PATIENCE,
  async (t) => {
    const folder = dataFolder(t);
    // Not seen again after its start, so it does not count for long.
    await using the = await world({ config: { instanceRenewMs: 3_600_000 } });
    const { text: key } = await the.key(["leads:read", "leads:write"]);
    const present = await unpacked(folder);
    const expanded = await unpacked(folder, { version: "99.0.0", migrations: { "9001_probe.sql": EXPAND } });
    const contracted = await unpacked(folder, {
      version: "99.1.0",
      migrations: { "9001_probe.sql": EXPAND, "9002_no_probe.sql": CONTRACT },
    });
    const applied = async () =>
      (
        await the.sql<{ name: string; needs: string | null; release: string }>(
          "SELECT name, needs, release FROM leadgate.migration WHERE name > '9' ORDER BY name",
        )
      ).map(({ name, needs, release }) => `${name} ${needs} ${release}`);
    const written: string[] = [];
    const write = async ({ baseUrl }: Pick<Instance, "baseUrl">) => {
      const name = `lead ${written.length}`;
      written.push(name);
      const answer = await fetch(`${baseUrl}/api/v1/leads`, {
        method: "POST",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
        body: JSON.stringify({ name }),
      });
      assert.equal(answer.status, 201);
    };

    const older = await begun(t, the.databaseUrl, present);
    await until(200, older);
    const newer = await begun(t, the.databaseUrl, expanded);
    await until(200, newer);
    assert.deepEqual(await applied(), ["9001_probe.sql null 99.0.0"]);
    for (let n = 0; n < 50; n += 1) await Promise.all([write(older), write(newer), write(the)]);

    const newest = await begun(t, the.databaseUrl, contracted);
    await until(200, newest);
    assert.match(newest.printed(), /9002_no_probe\.sql waits until all instances are 99\.1\.0 or newer/);
    assert.equal((await applied()).length, 1);
    for (let n = 0; n < 50; n += 1) await Promise.all([write(older), write(newer), write(newest)]);
    const again = await begun(t, the.databaseUrl, present);
    await until(200, again);
    for (const leaving of [older, newer]) {
      leaving.child.kill("SIGTERM");
      assert.equal(await leaving.ended, 0, leaving.printed());
    }
    // As if the machine of this one had been paused for long.
    again.child.kill("SIGSTOP");
    await the.sql(
      "UPDATE leadgate.instance SET seen_at = seen_at - interval '1 hour' WHERE release <> '99.1.0'",
    );
    const last = await begun(t, the.databaseUrl, contracted);
    await until(200, last);
    assert.ok((await applied()).includes("9002_no_probe.sql 99.1.0 99.1.0"), last.printed());
    await write(last);

    again.child.kill("SIGCONT");
    assert.equal(await again.ended, 1);
    assert.match(again.printed(), REFUSAL);
    const refused = await begun(t, the.databaseUrl, present);
    assert.equal(await refused.ended, 1);
    assert.match(
      refused.printed(),
      /The database was upgraded and needs Leadgate 99\.1\.0 or newer; this is \d/,
    );
    const rows = await the.sql<{ name: string }>("SELECT name FROM store.lead ORDER BY name");
    assert.deepEqual(
      rows.map(({ name }) => name),
      [...written].sort(),
    );
  },
);
