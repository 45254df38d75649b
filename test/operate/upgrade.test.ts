import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { leadgate } from "../cli/support/leadgate.ts";
import { large } from "../large.ts";
import { world } from "../world.ts";
import { blocksOf } from "./support/blocks.ts";

large("every command of the page about upgrades does what the page says", async () => {
  await using the = await world();
  const printed: string[] = [];
  for (const { language, text } of blocksOf("upgrade.md")) {
    assert.equal(language, "sh");
    const child = spawn("sh", ["-c", text], { env: { PATH: process.env.PATH, ...the.env } });
    let out = "";
    child.stdout.on("data", (data: Buffer) => {
      out += data.toString();
    });
    assert.deepEqual(await once(child, "close"), [0, null], text);
    printed.push(out);
  }
  assert.match(printed[0] ?? "", /^migrations: \[\]$/m);
  assert.match(printed[0] ?? "", /^instances: \[\{"release":"\d+\.\d+\.\d+","may_keep_running":true\}\]$/m);
  assert.match(printed[1] ?? "", /^migrated: \[\]$/m);
});

large(
  "upgrade --check lists what is missing without applying it, and refuses a database that needs a newer release",
  async () => {
    await using the = await world({ alone: true });
    await the.sql("DELETE FROM leadgate.migration WHERE name = '0068_instance_owners.sql'");
    const check = async () => {
      const { code, out } = await leadgate(the, ["upgrade", "--check", "--json"]);
      return { code, plan: JSON.parse(out) as { migrations: object[]; reason: string | null } };
    };
    const missing = await check();
    assert.equal(missing.code, 0);
    assert.deepEqual(missing.plan.migrations, [
      {
        ...{ name: "0068_instance_owners.sql", kind: "expand", needs: null },
        ...{ without_transaction: false, waits: false },
      },
    ]);
    await the.sql("DELETE FROM leadgate.migration WHERE name = '0061_same_schema.sql'");
    assert.match((await check()).plan.reason ?? "", /^Stop all instances first/);
    await the.sql("INSERT INTO leadgate.migration (name, needs) VALUES ('9999_later.sql', '99.0.0')");
    const refused = await check();
    assert.equal(refused.code, 1);
    assert.match(refused.plan.reason ?? "", /needs Leadgate 99\.0\.0 or newer/);
  },
);
