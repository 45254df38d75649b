import assert from "node:assert/strict";
import { test } from "node:test";
import { apiDocument, webDocument } from "../../../src/http/openapi/hosts.ts";

const DOCUMENTS = {
  API: apiDocument("https://api.leadgate.test"),
  web: webDocument("https://leadgate.test"),
};

type Node = Record<string, unknown>;

/** All objects of a document with their paths, without examples, which are data. */
function* schemasIn(node: object, path = ""): Generator<[path: string, node: Node]> {
  yield [path, node as Node];
  for (const [key, value] of Object.entries(node))
    if (typeof value === "object" && value !== null && !/^examples?$/.test(key))
      yield* schemasIn(value, `${path}/${key}`);
}

test("every choice between texts is one list of values, so that generators make one type of it", () => {
  const isText = (value: unknown) => typeof value === "string";
  for (const [host, document] of Object.entries(DOCUMENTS)) {
    let lists = 0;
    for (const [at, { type, enum: values, anyOf }] of schemasIn(document)) {
      const single = Array.isArray(anyOf) && anyOf.every((one: Node) => isText(one.const));
      assert.ok(!single, `${host}: ${at} is a union of single texts`);
      if (!Array.isArray(values)) continue;
      lists += 1;
      assert.deepEqual([type, values.every(isText)], ["string", true], `${host}: ${at}`);
    }
    assert.ok(lists > 0, host);
  }
});

test("no text of a document is swallowed as HTML by pages that show it", () => {
  // Descriptions are CommonMark: <key> would be a tag.
  const tags = JSON.stringify(Object.values(DOCUMENTS)).match(/[^"]{0,40}<[a-z]+>/g);
  assert.equal(tags, null);
});

test("a text, number or object that may be null is described by a list of two types, not by a union", () => {
  const parts = [...schemasIn(DOCUMENTS)];
  const unions = parts.filter(([, { anyOf }]) => {
    const [one, none, ...more] = Array.isArray(anyOf) ? (anyOf as Record<string, unknown>[]) : [];
    return more.length === 0 && none?.type === "null" && typeof one?.type === "string" && !("enum" in one);
  });
  assert.deepEqual(
    unions.map(([path]) => path),
    [],
  );
  const lists = new Set(parts.flatMap(([, { type }]) => (Array.isArray(type) ? [type.join(" or ")] : [])));
  for (const each of ["string or null", "number or null", "integer or null", "object or null"])
    assert.ok(lists.has(each), each);
});
