import assert from "node:assert/strict";
import { test } from "node:test";
import { PERMISSIONS, permissionsOfRole } from "../../src/core/permission.ts";
import { world } from "../world.ts";
import { bodyOf } from "./support/v1.ts";
import type { Record_ } from "./support/writing.ts";

const limits = {
  dataset_reads: { turns: 3_000, seconds: 60, burst: 300 },
  dataset_writes: { turns: 600, seconds: 60, burst: 100 },
  dataset_imports: null,
};

test("a key and a person learn who they are, in the words of the events that they make", async () => {
  const LIMITS = JSON.stringify({ datasetImports: null, api: { perMinute: 90, burst: 80 } });
  await using the = await world({ env: { LIMITS } });
  const key = await the.key(["leads:write"]);
  const project = { id: the.project.id, name: the.project.name };
  const api = { turns: 90, seconds: 60, burst: 80 };
  const self = await bodyOf<Record_>(await key.send("GET", "/api/v1/self"));
  assert.deepEqual(self, {
    ...{ id: key.id, kind: "key", name: "test", project, permissions: ["leads:write"] },
    ...{ limits: { calls: api, ...limits }, person: null },
  });
  await bodyOf(await key.send("POST", "/api/v1/leads", { name: "Ana" }), 201);
  const reader = await the.key();
  const { events } = await bodyOf<{ events: { actor: object }[] }>(
    await reader.send("GET", "/api/v1/events"),
  );
  assert.deepEqual(events[0]?.actor, { type: self.kind, id: self.id, label: self.name });

  const person = { id: the.person.id, name: the.person.name, role: "owner" };
  await the.sql("UPDATE leadgate.membership SET role = 'viewer' WHERE person_id = $1", [the.person.id]);
  const own = await the.signedIn();
  const panel = await bodyOf<Record_>(await own.get(`/panel/api/${project.id}/v1/self`));
  assert.deepEqual(panel, {
    ...{ id: the.person.id, kind: "person", name: the.person.name, project },
    ...{ permissions: permissionsOfRole("viewer"), limits: { calls: api, ...limits } },
    ...{ person: { ...person, role: "viewer" } },
  });
});

test("whoever may do anything at all learns who they are", async () => {
  await using the = await world();
  for (const permission of PERMISSIONS) {
    const { permissions } = await bodyOf<Record_>(
      await (await the.key([permission])).send("GET", "/api/v1/self"),
    );
    assert.deepEqual(permissions, [permission]);
  }
});
