import assert from "node:assert/strict";
import { test } from "node:test";
import { world } from "../world.ts";
import { CALLS } from "./support/endpoint-calls.ts";
import { textOf } from "./support/text-of.ts";
import { FULL, nobody } from "./support/two-projects.ts";
import { refusalOf } from "./support/writing.ts";

test("every v1 endpoint refuses a query parameter that it does not know and another project's id, before it looks for anything", async () => {
  await using the = await world();
  const key = await the.key([...FULL]);
  const calls = Object.entries(CALLS).filter(([name]) => name.includes(" /api/v1/"));
  assert.ok(calls.length > 50, `${calls.length} calls`);
  for (const [name, { path, body, file }] of calls) {
    const ids = nobody();
    const ask = (parameter: string) => {
      const url = path(ids);
      const text = file ?? (body === undefined ? undefined : JSON.stringify(body(ids)));
      return fetch(`${the.baseUrl}${url}${url.includes("?") ? "&" : "?"}${parameter}`, {
        method: name.split(" ")[0] ?? "GET",
        headers: {
          Authorization: `Bearer ${key.text}`,
          ...(text === undefined
            ? {}
            : { "Content-Type": file === undefined ? "application/json" : "text/csv" }),
        },
        ...(text === undefined ? {} : { body: text }),
      });
    };
    const unknown = await refusalOf(await ask("nonsense=1"));
    assert.deepEqual(
      [unknown.status, unknown.code, unknown.details[0]?.path],
      [400, "unknown_key", "$.nonsense"],
      name,
    );
    const foreign = await refusalOf(await ask("project_id=prj_of_somebody"));
    assert.deepEqual([foreign.status, foreign.code], [403, "foreign_project"], name);
    const own = await ask(`project_id=${the.project.id}`);
    const said = await textOf(own);
    assert.doesNotMatch(said, /unknown_key|foreign_project/, name);
  }
});
