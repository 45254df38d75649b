import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { test } from "node:test";
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
  assert.match(printed[0] ?? "", /^Leadgate \d+\.\d+\.\d+ has nothing to change in this database\.$/m);
  assert.match(printed[0] ?? "", /^Instances that run now: \d+\.\d+\.\d+$/m);
  assert.match(printed[0] ?? "", /^WARNING: No instance reported a regular backup\. Make one first: /m);
  assert.match(printed[0] ?? "", /^It can be started while the others serve\.$/m);
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
        tables: [{ table: "person", work: "rows", rows: null, bytes: 16_384 }],
        about_seconds: 0,
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

test("upgrade --check says which tables a migration works on, about how long, and that the newest backup is old", async () => {
  await using the = await world({ alone: true });
  await the.sql("DELETE FROM leadgate.migration WHERE name = '0072_audit_by_project.sql'");
  await the.sql(`INSERT INTO leadgate.backup_report (host, folder, report) VALUES ('one', '/backups',
    jsonb_build_object('backups', jsonb_build_array(jsonb_build_object('finished', now() - interval '3 days'))))`);
  await the.sql(`INSERT INTO leadgate.audit (action, project_id, data)
    SELECT 'probe', '', to_jsonb(repeat('x', 1000)) FROM generate_series(1, 20000)`);
  await the.sql("ANALYZE leadgate.audit");
  const { code, out } = await leadgate(the, ["upgrade", "--check"]);
  assert.equal(code, 0);
  assert.match(out, /^Leadgate \S+ would apply 1 migration: about \d+ seconds at most$/m);
  assert.match(out, /^ {2}0072_audit_by_project\.sql: expand, older instances do not notice it; about/m);
  assert.match(out, /^ {4}changes rows of audit: about 20,\d{3} rows, 2\d MB$/m);
  assert.match(out, /^ {4}builds an index on audit: about 20,\d{3} rows, 2\d MB$/m);
  assert.match(out, /^WARNING: The newest regular backup is 72 hours old\. Make one first: /m);
});
