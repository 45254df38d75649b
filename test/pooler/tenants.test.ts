import assert from "node:assert/strict";
import { test } from "node:test";
import { type KeyActor, type World, world } from "../world.ts";
import { pooledWorld, withoutPgBouncer as skip } from "./support/pgbouncer.ts";

/** Another project with a key, whose leads have this name. */
async function projectOf(the: World, name: string): Promise<{ key: KeyActor; id: string; name: string }> {
  const { id } = await the.newProject(the.person, name);
  const key = await the.key(["leads:read", "leads:write"], id);
  for (let n = 0; n < 3; n += 1)
    assert.equal((await key.send("POST", "/api/v1/leads", { name })).status, 201);
  return { key, id, name };
}

for (const size of [1, 2]) {
  test(`projects that race over ${size} connections of PgBouncer see only their own leads`, {
    skip,
  }, async () => {
    await using pooled = await pooledWorld({ default_pool_size: size });
    const { the } = pooled;
    const projects = await Promise.all(["Ana", "Bea", "Cid"].map((name) => projectOf(the, name)));
    const refused = await the.key(["datasets:read"]);
    const look = async ({ key, name, id }: (typeof projects)[number], round: number) => {
      const sent = [
        key.query({ limit: 50 }),
        key.send("POST", "/api/v1/leads/search", { limit: 50 }),
        key.send("POST", "/api/v1/leads/count", { filter: { field: "name", op: "neq", value: `x${round}` } }),
        key.send("POST", "/api/v1/leads", { name }),
        key.send("POST", "/api/leads/query/", { project_id: projects.find((other) => other.id !== id)?.id }),
        refused.query({ limit: 50 }),
      ];
      const answers = await Promise.all(sent);
      const texts = await Promise.all(answers.map((answer) => answer.text()));
      for (const [at, answer] of answers.entries()) {
        const expected = [[200], [200], [200], [201], [403, 404], [403]][at] ?? [];
        assert.ok([...expected, 429, 503].includes(answer.status), `${at}: ${answer.status} ${texts[at]}`);
        if (answer.status < 300)
          for (const other of projects)
            if (other.name !== name) assert.ok(!texts[at]?.includes(`"${other.name}"`), texts[at]);
      }
      return answers.filter(({ status }) => status < 300).length;
    };
    let good = 0;
    for (let round = 0; round < 4; round += 1) {
      const counts = await Promise.all([...projects, ...projects].map((project) => look(project, round)));
      good += counts.reduce((sum, count) => sum + count, 0);
    }
    assert.ok(good > 60, `${good} calls were answered`);
  });
}

test("limits that are counted in the database are exact behind PgBouncer, whichever instance counts", {
  skip,
}, async () => {
  const env = { LIMITS: JSON.stringify({ api: { perMinute: 1, burst: 40 } }) };
  await using pooled = await pooledWorld({ default_pool_size: 3 }, { env });
  const { the, bouncer, direct } = pooled;
  await using other = await world({
    env: { ...env, DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: direct },
  });
  const { id } = await the.newProject(the.person);
  const key = await the.key(["leads:read"], id);
  const ask = async (base: string) => {
    const headers = { Authorization: `Bearer ${key.text}`, "Content-Type": "application/json" };
    const answer = await fetch(`${base}/api/leads/query/`, {
      method: "POST",
      headers,
      body: JSON.stringify({ project_id: id }),
    });
    await answer.text();
    return answer.status;
  };
  const statuses: number[] = [];
  for (let round = 0; round < 8; round += 1)
    statuses.push(
      ...(await Promise.all(
        [the, other, the, other, the, other, the, other].map(({ baseUrl }) => ask(baseUrl)),
      )),
    );
  const passed = statuses.filter((status) => status !== 429);
  assert.deepEqual(
    passed,
    Array.from({ length: passed.length }, () => 200),
  );
  assert.ok(passed.length >= 40 && passed.length <= 41, `${passed.length} of 64 passed`);
});
