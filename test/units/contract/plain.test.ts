import assert from "node:assert/strict";
import { test } from "node:test";
import { type TSchema, Type } from "typebox";
import { LeadAggregation, ResponseTimesQuery } from "../../../src/contract/leads/aggregation.ts";
import {
  LeadCount,
  LeadSearch,
  LeadsExport,
  LeadsQuery,
  ViewQuery,
} from "../../../src/contract/leads/query.ts";
import { plain } from "../../../src/contract/plain.ts";
import { faultFinder } from "../../../src/domain/operation/input-faults.ts";

const QUERIES = {
  LeadsQuery,
  LeadSearch,
  LeadCount,
  ViewQuery,
  LeadsExport,
  LeadAggregation,
  ResponseTimesQuery,
};

test("a plain schema has no names, references and examples, and the same keys", () => {
  for (const [name, schema] of Object.entries<TSchema>(QUERIES)) {
    assert.equal((schema as { $id?: string }).$id, name);
    const text = JSON.stringify(plain(schema));
    assert.doesNotMatch(text, /"(\$id|\$ref|\$defs|examples)"/, name);
    const keys = (of: TSchema) => Object.keys((of as { properties?: object }).properties ?? {});
    assert.deepEqual(keys(plain(schema)), keys(schema));
  }
});

test("a property that is called like a keyword stays", () => {
  const schema = Type.Object({ examples: Type.String({ examples: ["a"] }) });
  assert.deepEqual(JSON.parse(JSON.stringify(plain(schema))), {
    type: "object",
    required: ["examples"],
    properties: { examples: { type: "string" } },
  });
});

test("operations leave filters and names of fields to their readers, and check the rest", () => {
  const faults = faultFinder(plain(LeadsQuery));
  assert.deepEqual(faults({ filter: 7, sort: [{ field: "nope" }], fields: ["nope"], include: ["nope"] }), []);
  assert.deepEqual(
    faults({ sort: [{ field: "x".repeat(201), dir: "up" }], fields: [1], limit: 0, filtr: {} }).map(
      ({ path, code }) => `${path} ${code}`,
    ),
    [
      "$.filtr unknown_key",
      "$.limit range",
      "$.sort[0].field too_long",
      "$.sort[0].dir one_of",
      "$.fields[0] type",
    ],
  );
});
