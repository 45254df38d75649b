import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf } from "../api/support/v1.ts";
import { COMPANIES } from "../datasets/support/dataset.ts";
import { IMPORTER, imported } from "../datasets/support/importing.ts";
import { world } from "../world.ts";
import { countsOf, importText, leadsOf } from "./support/importing.ts";
import { acted, sums, uploaded } from "./support/uploading.ts";

const codesOf = (body: { errors: { errors: { code: string }[] }[] }) =>
  body.errors.map(({ errors }) => errors.map(({ code }) => code).join());

test("a NUL or a lone surrogate fails only its row, anywhere in the file", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write", ...IMPORTER]);
  const half = JSON.stringify("\ud83d").slice(1, -1);
  const long = `${"x".repeat(99)}🎉`;
  const files: [string, string, string][] = [
    [
      "text/csv",
      "external_id,name,co\0de\nz1,a\0b,\nz2,Bo,n\0\nz3,,x\n".replace("z3,,x", `z3,${long},`),
      "nul",
    ],
    [
      "application/x-ndjson",
      `{"external_id":"n1","name":"a${half}b"}\n{"external_id":"n2","name":"Bo","k${half}":"${half}","k\\u0000":1}\n{"external_id":"n3","name":"${long}"}\n`,
      "lone_surrogate",
    ],
  ];
  for (const [type, file, code] of files) {
    const made = await uploaded(the, key, file, { type });
    assert.deepEqual(sums((await acted(key, made.id, "dry-run")).dry_run ?? {}), [3, 2, 0, 0, 0, 1]);
    assert.deepEqual(sums(await acted(key, made.id, "commit")), [3, 2, 0, 0, 0, 1]);
    const errors = await key.send("GET", `/api/v1/imports/${made.id}/errors`);
    assert.deepEqual(codesOf(await bodyOf(errors)), [code]);
    assert.deepEqual(countsOf(await importText(the, file)), [3, 0, 0, 2, 0, 1]);
  }
  assert.equal((await leadsOf(the)).length, 4);
  await key.send("POST", "/api/v1/datasets", COMPANIES);
  const rows = await imported(the, key, "domain,name\na.example,a\0b\nb.example,Bo\n");
  assert.deepEqual(sums(rows), [2, 1, 0, 0, 0, 1]);
});

test("a mapping with a NUL or a lone surrogate is refused with the path to it", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  const made = await uploaded(the, key, "external_id,name\n1,Bo\n");
  const columns = { external_id: "external_id" };
  const mapping = { columns: { ...columns, name: { field: "name", values: { Bo: "\0" } } } };
  const answer = await key.send("PUT", `/api/v1/imports/${made.id}/mapping`, mapping);
  const { error } = await bodyOf<{ error: { details: { path: string; code: string }[] } }>(answer, 400);
  assert.deepEqual(
    error.details.map((each) => [each.path, each.code]),
    [["$.columns.name.values.Bo", "nul"]],
  );
});
