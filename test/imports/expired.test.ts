import assert from "node:assert/strict";
import { test } from "node:test";
import { sweep } from "../../src/domain/upkeep/sweep.ts";
import { bodyOf } from "../api/support/v1.ts";
import { type KeyActor, world } from "../world.ts";
import { importText } from "./support/importing.ts";
import { acted, sums, uploaded } from "./support/uploading.ts";

const READS = ["errors", "errors/kinds", "errors.csv", "successful.csv", "unprocessed.csv", "kept"];

async function refusalOf(
  key: KeyActor,
  method: string,
  path: string,
  body?: object,
): Promise<(string | number)[]> {
  const answer = await key.send(method, path, body);
  const { error } = (await answer.json()) as { error: { code: string } };
  return [answer.status, error.code];
}

test("what an import kept for thirty days is gone (410) afterwards, never an empty list or file", async () => {
  await using the = await world({ alone: true });
  const key = await the.key(["leads:read", "leads:write"]);
  const { id } = await uploaded(the, key, "external_id,email\ngood,good@x.org\nbad,nobody\n");
  assert.deepEqual(sums(await acted(key, id, "commit")), [2, 1, 0, 0, 0, 1]);
  for (const read of READS)
    assert.equal((await key.send("GET", `/api/v1/imports/${id}/${read}`)).status, 200);
  await the.sql("UPDATE store.import SET expires_at = now()");
  for (const swept of [false, true]) {
    if (swept) await sweep(the.service);
    for (const read of READS)
      assert.deepEqual(await refusalOf(key, "GET", `/api/v1/imports/${id}/${read}`), [410, "expired"], read);
    for (const act of ["commit", "undo"])
      assert.deepEqual(await refusalOf(key, "POST", `/api/v1/imports/${id}/${act}`), [410, "expired"], act);
  }
  const { changes } = await bodyOf<{ changes: { id: string; irreversible: string | null }[] }>(
    await key.send("GET", "/api/v1/changes"),
  );
  assert.deepEqual(
    changes.map(({ irreversible }) => irreversible),
    ["values_gone"],
  );
  assert.deepEqual(await refusalOf(key, "POST", `/api/v1/changes/${changes[0]?.id}/undo`, {}), [
    409,
    "values_gone",
  ]);
  const left = await bodyOf<object>(await key.send("GET", `/api/v1/imports/${id}`));
  assert.deepEqual(sums(left), [2, 1, 0, 0, 0, 1]);
  const reader = await the.key(["leads:read"]);
  assert.deepEqual(await refusalOf(reader, "GET", `/api/v1/imports/${id}/kept`), [403, "missing_permission"]);
});

test("of an import by the command line, failed rows can be downloaded; for others it says that the file is not stored", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  const { id } = await importText(the, "external_id,email\ngood,good@x.org\nbad,nobody\n");
  const failed = await key.send("GET", `/api/v1/imports/${id}/errors.csv`);
  assert.equal(failed.status, 200);
  assert.match(await failed.text(), /bad,nobody/);
  for (const read of ["successful.csv", "unprocessed.csv"]) {
    const answer = await key.send("GET", `/api/v1/imports/${id}/${read}`);
    const { error } = (await answer.json()) as { error: { code: string; message: string } };
    assert.deepEqual([answer.status, error.code], [409, "no_file"]);
    assert.match(error.message, /command line/);
  }
});
